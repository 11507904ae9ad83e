import { Button } from '@mantine/core';
import { ArrowLeft, ArrowRight, LayoutTemplate, Shuffle } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link, useParams } from 'react-router';
import type { Card, Component as CardComponent, WithId } from '../../../data/documents.ts';
import { describeError } from '../../../data/messages.ts';
import { useCards, useComponents, useLayout } from '../../../data/queries.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import { PaintedCard } from '../../painting/painted-card.tsx';
import { DeckGate } from '../deck/deck-gate.tsx';
import css from './flashcards.module.css';
import { shuffled } from './shuffled.ts';

const CARD_WIDTH_PX = 340;

/** One card at a time, by buttons or by keys. */
function Pile({
  component,
  cards,
  layoutId,
}: {
  component: WithId<CardComponent>;
  cards: readonly WithId<Card>[];
  layoutId: string;
}) {
  const { data: layout, error } = useLayout(layoutId);
  const [order, setOrder] = useState<readonly number[]>();
  const [place, setPlace] = useState(0);
  const count = cards.length;
  const card = cards[order?.[place] ?? place] ?? cards[place];
  useEffect(() => {
    const step = (event: KeyboardEvent) => {
      if (event.key === 'ArrowRight') setPlace((now) => (now + 1) % count);
      if (event.key === 'ArrowLeft') setPlace((now) => (now + count - 1) % count);
    };
    window.addEventListener('keydown', step);
    return () => window.removeEventListener('keydown', step);
  }, [count]);

  if (error) return <Problem title={describeError(error)} />;
  if (layout === undefined) return <Placeholder height={480} radius={16} />;
  if (layout === null || !card) return <Problem title="The layout of these cards is gone." />;
  return (
    <section className={css.pile} aria-label="Flashcard">
      <PaintedCard
        layout={layout.scene}
        cells={card.cells}
        columns={component.columns}
        width={CARD_WIDTH_PX}
        label={`Card ${place + 1}: ${Object.values(card.cells)
          .filter((cell) => cell !== '')
          .join(', ')}`}
      />
      <div className={css.controls}>
        <Button
          variant="default"
          leftSection={<ArrowLeft size={16} aria-hidden />}
          onClick={() => setPlace((place + count - 1) % count)}
        >
          Previous
        </Button>
        <span role="status">
          {place + 1} of {count}
        </span>
        <Button
          rightSection={<ArrowRight size={16} aria-hidden />}
          onClick={() => setPlace((place + 1) % count)}
        >
          Next
        </Button>
      </div>
      <Button
        variant="subtle"
        leftSection={<Shuffle size={16} aria-hidden />}
        onClick={() => {
          setOrder(shuffled(count, Math.random));
          setPlace(0);
        }}
      >
        Shuffle
      </Button>
    </section>
  );
}

/** `/flashcards/{deckId}/{componentId}` */
export function Component() {
  const { deckId = '' } = useParams();
  return (
    <DeckGate key={deckId} deck={deckId}>
      <Flashcards />
    </DeckGate>
  );
}

function Flashcards() {
  const { deckId = '', componentId = '' } = useParams();
  const { data: components, error: componentsError } = useComponents(deckId);
  const { data, error: cardsError } = useCards(deckId, componentId);
  const component = components?.items.find(({ id }) => id === componentId);
  const cards = useMemo(() => data?.items ?? [], [data]);
  const failure = componentsError ?? cardsError;
  const home = `/decks/${deckId}?component=${componentId}`;
  return (
    <Page
      above={
        <Link to={home}>
          <ArrowLeft size={15} aria-hidden /> {component?.name ?? 'Project'}
        </Link>
      }
      title="Flashcards"
      lead="One card at a time, to proofread a deck or to learn it. Arrow keys go on and back."
    >
      {failure && <Problem title={describeError(failure)} />}
      {(!components || !data) && !failure && (
        <>
          <Loading label="Loading cards" />
          <Placeholder height={480} radius={16} />
        </>
      )}
      {components && !component && <Problem title="This component is not in the project." />}
      {component && data && (cards.length === 0 || !component.layoutId) && (
        <EmptyState
          icon={<LayoutTemplate size={26} />}
          title={cards.length === 0 ? 'No cards yet' : 'These cards have no layout yet'}
          action={
            <Button component={Link} to={cards.length === 0 ? home : `/layouts/${deckId}/${componentId}`}>
              {cards.length === 0 ? 'To the component' : 'Choose a layout'}
            </Button>
          }
        >
          Flashcards show the cards of a component as its layout draws them.
        </EmptyState>
      )}
      {component?.layoutId && cards.length > 0 && (
        <Pile component={component} cards={cards} layoutId={component.layoutId} />
      )}
    </Page>
  );
}
