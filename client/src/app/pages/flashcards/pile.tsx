import { Button } from '@mantine/core';
import { ArrowLeft, ArrowRight, RotateCw, Shuffle } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Card, Component as CardComponent, WithId } from '../../../data/documents.ts';
import { Problem } from '../../../ui/page.tsx';
import { CardFace, wordsOf } from './card-face.tsx';
import css from './flashcards.module.css';
import { inOrder } from './in-order.ts';
import { shuffled } from './shuffled.ts';
import type { Faces } from './use-faces.ts';
import { useKeys } from './use-keys.ts';

/** One card at a time, by buttons or by keys. */
export function Pile({
  component,
  cards,
  facesOf,
}: {
  component: WithId<CardComponent>;
  cards: readonly WithId<Card>[];
  facesOf: (card: WithId<Card>) => Faces;
}) {
  const [order, setOrder] = useState<readonly string[]>();
  const [wanted, setWanted] = useState(0);
  const [turned, setTurned] = useState(false);
  const pile = useMemo(() => inOrder(cards, order), [cards, order]);
  const count = pile.length;
  // Somebody may have deleted the last ones.
  const place = Math.min(wanted, count - 1);
  const card = pile[place];
  const step = (by: number) => {
    setWanted((place + by + count) % count);
    setTurned(false);
  };
  useKeys({
    arrowright: () => step(1),
    arrowleft: () => step(-1),
    ' ': () => setTurned(!turned),
  });
  const faces = card && facesOf(card);
  if (!card || !faces?.front) return <Problem title="The layout of these cards is gone." />;
  const { front, back } = faces;
  const shown = turned && back ? back : front;
  return (
    <section className={css.pile} aria-label="Flashcard">
      <CardFace
        layout={shown}
        card={card}
        columns={component.columns}
        label={`${shown === back ? 'Back of card' : 'Card'} ${place + 1}: ${wordsOf(card, component.columns, place)}`}
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
