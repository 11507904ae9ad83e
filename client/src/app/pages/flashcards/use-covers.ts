import { useMemo } from 'react';
import { countCovered, covered, openColumns } from '../../../core/learning/covered.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import type { Card, TableColumn, WithId } from '../../../data/documents/documents.ts';
import type { Learning } from '../../../data/learning.ts';
import { wordsOf } from './card-face.tsx';

/** Covers over a card's front. */
export interface Covers {
  /** Number of covers; 0 if nothing of this layout is covered. */
  readonly count: number;
  /** The layout with its covers, or another state of it with the same ones. */
  readonly over: (layout: Layout) => Layout;
  /** The card's words without those under covers. */
  readonly words: (card: WithId<Card>, columns: readonly TableColumn[], place: number) => string;
}

/** The covers that one has chosen, over a card's front. */
export function useCovers(front: Layout | undefined, { hidden }: Pick<Learning, 'hidden'>): Covers {
  return useMemo(() => {
    const ids = new Set(hidden);
    const count = front ? countCovered(front, ids) : 0;
    // A painting is kept by its layout: the same one must not be made twice.
    const made = new Map<Layout, Layout>();
    return {
      count,
      over: (layout) => {
        const known = made.get(layout) ?? covered(layout, ids);
        made.set(layout, known);
        return known;
      },
      words: (card, columns, place) => {
        const open = front ? openColumns(front, ids, card, columns) : columns;
        const covers = `${count} ${count === 1 ? 'zone' : 'zones'} covered`;
        return count === 0 ? wordsOf(card, columns, place) : `${wordsOf(card, open, place)}, ${covers}`;
      },
    };
  }, [front, hidden]);
}
