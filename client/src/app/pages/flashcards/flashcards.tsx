import { Button } from '@mantine/core';
import { useViewportSize } from '@mantine/hooks';
import { ArrowLeft, ArrowRight, LayoutTemplate, RotateCw, Shuffle } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Link, useParams } from 'react-router';
import { sameSize } from '../../../core/scene/sizes.ts';
import { sidesOf } from '../../../data/card-layout.ts';
import type { Card, Component as CardComponent, LayoutDocument, WithId } from '../../../data/documents.ts';
import { describeError } from '../../../data/messages.ts';
import { useCards, useComponents, useLayouts } from '../../../data/queries.ts';
import { useComputedCards } from '../../../data/table/use-computed-cards.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import { PaintedCard } from '../../painting/painted-card.tsx';
import { useFittedLayout } from '../../painting/use-group-sizes.ts';
import { ProjectGate, useProject } from '../project/project-gate.tsx';
import css from './flashcards.module.css';
import { inOrder } from './in-order.ts';
import { shuffled } from './shuffled.ts';

const NO_CARDS: readonly WithId<Card>[] = [];
/** Widest and narrowest a card is shown, in CSS pixels. */
const [NARROWEST_PX, WIDEST_PX] = [200, 340];
/** Height above and below the card, so that its buttons are in sight without scrolling. */
const AROUND_PX = 410;

/** Elements that handle the space bar themselves. */
const OWN_SPACE = 'button, a, input, select, textarea';
/** Elements that handle the arrow keys themselves. */
const OWN_ARROWS = 'input, select, textarea, [role=tab], [role=menu]';

/** One card at a time, by buttons or by keys. */
function Pile({
  component,
  cards,
  layouts,
}: {
  component: WithId<CardComponent>;
  cards: readonly WithId<Card>[];
  layouts: readonly WithId<LayoutDocument>[];
}) {
  const [order, setOrder] = useState<readonly string[]>();
  const [wanted, setWanted] = useState(0);
  const [turned, setTurned] = useState(false);
  // Not known before it is first drawn.
  const tall = useViewportSize().height || window.innerHeight;
  const scenes = useMemo(() => new Map(layouts.map(({ id, scene }) => [id, scene])), [layouts]);
  const own = useFittedLayout(scenes.get(component.layoutId ?? ''), cards, component.columns);
  const pile = useMemo(() => inOrder(cards, order), [cards, order]);
  const count = pile.length;
  // Somebody may have deleted the last ones.
  const place = Math.min(wanted, count - 1);
  const card = pile[place];
  const sides = card && sidesOf(component, card);
  const front = sides?.front === component.layoutId ? own : (scenes.get(sides?.front ?? '') ?? own);
  const other = scenes.get(sides?.back ?? '');
  const back = front && other && sameSize(other, front) ? other : undefined;
  const step = useCallback(
    (by: number) => {
      setWanted((now) => (Math.min(now, count - 1) + by + count) % count);
      setTurned(false);
    },
    [count],
  );
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target instanceof Element && event.target.closest(OWN_ARROWS)) return;
      if (event.key === 'ArrowRight') step(1);
      if (event.key === 'ArrowLeft') step(-1);
      if (event.key !== ' ' || !(event.target instanceof Element)) return;
      if (event.target.closest(OWN_SPACE)) return;
      event.preventDefault();
      setTurned((now) => !now);
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [step]);

  if (!front || !card) return <Problem title="The layout of these cards is gone." />;
  const shown = turned && back ? back : front;
  const fitting = ((tall - AROUND_PX) * shown.size.w) / shown.size.h;
  const words = Object.values(card.cells).filter((cell) => cell !== '');
  return (
    <section className={css.pile} aria-label="Flashcard">
      <PaintedCard
        layout={shown}
        cells={card.cells}
        columns={component.columns}
        width={Math.round(Math.max(NARROWEST_PX, Math.min(WIDEST_PX, fitting)))}
        label={`${shown === back ? 'Back of card' : 'Card'} ${place + 1}: ${words.join(', ')}`}
      />
      <div className={css.controls}>
        <Button variant="default" leftSection={<ArrowLeft size={16} aria-hidden />} onClick={() => step(-1)}>
          Previous
        </Button>
        <span role="status">
          {place + 1} of {count}
        </span>
        <Button rightSection={<ArrowRight size={16} aria-hidden />} onClick={() => step(1)}>
          Next
        </Button>
      </div>
      <div className={css.controls}>
        {back && (
          <Button
            variant="subtle"
            leftSection={<RotateCw size={16} aria-hidden />}
            onClick={() => setTurned(!turned)}
          >
            Turn over
          </Button>
        )}
        <Button
          variant="subtle"
          leftSection={<Shuffle size={16} aria-hidden />}
          onClick={() => {
            setOrder(shuffled(count, Math.random).flatMap((at) => cards[at]?.id ?? []));
            setWanted(0);
            setTurned(false);
          }}
        >
          Shuffle
        </Button>
      </div>
    </section>
  );
}

/** `/flashcards/{projectId}/{componentId}` */
export function Component() {
  const { deckId: projectId = '' } = useParams();
  return (
    <ProjectGate key={projectId} project={projectId}>
      <Flashcards />
    </ProjectGate>
  );
}

function Flashcards() {
  const { componentId = '' } = useParams();
  const project = useProject();
  const { data: components, error: componentsError } = useComponents(project);
  const { data, error: cardsError } = useCards(project, componentId);
  const component = components?.items.find(({ id }) => id === componentId);
  const { data: layouts, error: layoutsError } = useLayouts(project);
  const cards = useComputedCards(component && data?.items, component) ?? NO_CARDS;
  const failure = componentsError ?? cardsError ?? layoutsError;
  const home = `/decks/${project.id}?component=${componentId}`;
  return (
    <Page
      above={
        <Link to={home}>
          <ArrowLeft size={15} aria-hidden /> {component?.name ?? 'Project'}
        </Link>
      }
      title="Flashcards"
      lead="One card at a time, to proofread a deck or to learn it. Arrow keys go on and back, the space bar turns a card that has a back."
    >
      {failure && <Problem title={describeError(failure)} />}
      {(!components || !data || !layouts) && !failure && (
        <>
          <Loading label="Loading cards" />
          <Placeholder height={480} radius={16} />
        </>
      )}
      {components && !component && <Problem title="This component is not in the project." />}
      {component && data && layouts && (cards.length === 0 || !component.layoutId) && (
        <EmptyState
          icon={<LayoutTemplate size={26} />}
          title={cards.length === 0 ? 'No cards yet' : 'These cards have no layout yet'}
          action={
            <Button component={Link} to={cards.length === 0 ? home : `/layouts/${project.id}/${componentId}`}>
              {cards.length === 0 ? 'To the component' : 'Choose a layout'}
            </Button>
          }
        >
          Flashcards show the cards of a component as its layout draws them.
        </EmptyState>
      )}
      {component?.layoutId && cards.length > 0 && layouts && (
        <Pile component={component} cards={cards} layouts={layouts.items} />
      )}
    </Page>
  );
}
