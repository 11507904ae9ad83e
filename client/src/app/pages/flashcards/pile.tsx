import { Button } from '@mantine/core';
import { ArrowLeft, ArrowRight, Eye, RotateCw, Shuffle } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Card, Component as CardComponent, WithId } from '../../../data/documents/documents.ts';
import type { Learning } from '../../../data/learning.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { CardFace, wordsOf } from './card-face.tsx';
import css from './flashcards.module.css';
import { inOrder } from './in-order.ts';
import { shuffled } from './shuffled.ts';
import { SwipeArea } from './swipe-area.tsx';
import { type Covers, useCovers } from './use-covers.ts';
import type { Faces } from './use-faces.ts';
import { useKeys } from './use-keys.ts';
import { type Compared, VersionFace, VersionField } from './versions.tsx';
import { HideZones } from './zones-dialog.tsx';

/** States of a card, in the order in which turning it shows them. */
type Side = 'covered' | 'front' | 'back';

/** One card at a time, by buttons, by keys or by swipes. */
export function Pile({
  project,
  component,
  cards,
  all,
  facesOf,
  learning,
}: {
  project: Project;
  component: WithId<CardComponent>;
  cards: readonly WithId<Card>[];
  /** With those that are left out. */
  all: readonly WithId<Card>[];
  facesOf: (card: WithId<Card>) => Faces;
  learning: Learning;
}) {
  const [order, setOrder] = useState<readonly string[]>();
  const [wanted, setWanted] = useState(0);
  const [turns, setTurns] = useState(0);
  const [compared, setCompared] = useState<Compared>();
  const pile = useMemo(() => inOrder(cards, order), [cards, order]);
  const count = pile.length;
  // Somebody may have deleted the last ones.
  const place = Math.min(wanted, count - 1);
  const card = pile[place];
  const step = (by: number) => {
    setWanted((place + by + count) % count);
    setTurns(0);
  };
  const turn = () => setTurns(turns + 1);
  useKeys({ arrowright: () => step(1), arrowleft: () => step(-1), ' ': turn });
  const faces = card && facesOf(card);
  const covers = useCovers(faces?.front, learning);
  if (!card || !faces?.front) return <Problem title="The layout of these cards is gone." />;
  const { front, frontId, back } = faces;
  const sides: readonly Side[] = [
    ...(covers.count > 0 ? ['covered' as const] : []),
    'front',
    ...(back ? ['back' as const] : []),
  ];
  const side = sides[turns % sides.length] ?? 'front';
  const next = sides[(turns + 1) % sides.length];
  const now = compared?.layout === frontId ? compared : undefined;
  const over: Covers['over'] = (layout) => (side === 'covered' ? covers.over(layout) : layout);
  const words =
    side === 'covered'
      ? covers.words(card, component.columns, place)
      : wordsOf(card, component.columns, place);
  const label = `${side === 'back' ? 'Back of card' : 'Card'} ${place + 1}: ${words}`;
  return (
    <section className={css.pile} aria-label="Flashcard">
      <SwipeArea
        words={{ left: 'Next', right: 'Previous' }}
        onSwipe={(swipe) => step(swipe === 'left' ? 1 : -1)}
      >
        <div className={css.sides}>
          <figure className={css.version}>
            <CardFace
              layout={side === 'back' && back ? back : over(front)}
              card={card}
              columns={component.columns}
              label={label}
            />
            {now && <figcaption>Now</figcaption>}
          </figure>
          {now && (
            <VersionFace
              component={component}
              cards={all}
              card={card}
              version={now.version}
              over={over}
              words={words}
            />
          )}
        </div>
      </SwipeArea>
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
        {sides.length > 1 && (
          <Button
            variant="subtle"
            leftSection={
              side === 'covered' ? <Eye size={16} aria-hidden /> : <RotateCw size={16} aria-hidden />
            }
            onClick={turn}
          >
            {side === 'covered' ? 'Uncover' : next === 'covered' ? 'Cover again' : 'Turn over'}
          </Button>
        )}
        <HideZones front={front} count={covers.count} learning={learning} />
        <Button
          variant="subtle"
          leftSection={<Shuffle size={16} aria-hidden />}
          onClick={() => {
            setOrder(shuffled(count, Math.random).flatMap((at) => cards[at]?.id ?? []));
            setWanted(0);
            setTurns(0);
          }}
        >
          Shuffle
        </Button>
      </div>
      {frontId !== undefined && (
        <VersionField
          key={frontId}
          project={project}
          layout={frontId}
          compared={now}
          onCompare={setCompared}
        />
      )}
    </section>
  );
}
