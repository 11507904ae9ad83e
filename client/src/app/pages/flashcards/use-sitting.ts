import { useState } from 'react';
import { answered, dayOf, type Mark, type Marks } from '../../../core/learning/leitner.ts';
import { bareRecord, own } from '../../../core/records.ts';
import type { Learning } from '../../../data/learning.ts';

/** An answer of this sitting, and the stored mark that it replaces. */
interface Given {
  readonly card: string;
  readonly mark: Mark;
  readonly before: Mark | undefined;
}

const same = (a: Mark | undefined, b: Mark | undefined): boolean => a?.box === b?.box && a?.day === b?.day;

/**
 * The answers since the page was opened, the latest last. They count at once: until the store has one, the card that was
 * answered would be asked a moment longer, and could be answered twice.
 */
export function useSitting(learning: Pick<Learning, 'marks' | 'answer'>): {
  readonly marks: Marks;
  /** Ids of the answered cards, the latest last. */
  readonly order: readonly string[];
  /** Notes an answer; one that could not be stored is taken back. */
  readonly answer: (card: string, known: boolean) => Promise<void>;
} {
  const [given, setGiven] = useState<readonly Given[]>([]);
  const stored = learning.marks;
  const waiting = given.filter(({ card, before }) => same(own(stored, card), before));
  const marks = bareRecord<Mark>([
    ...Object.entries(stored),
    ...waiting.map(({ card, mark }) => [card, mark] as const),
  ]);
  return {
    marks,
    order: given.map(({ card }) => card),
    answer: async (card, known) => {
      // From the mark that counts here, which the store may not have yet.
      const mark = answered(own(marks, card), known, dayOf(new Date()));
      const one = { card, mark, before: own(stored, card) };
      setGiven((answers) => [...answers.filter((answer) => answer.card !== card), one]);
      try {
        await learning.answer(card, mark);
      } catch (error) {
        setGiven((answers) => answers.filter((answer) => answer !== one));
        throw error;
      }
    },
  };
}
