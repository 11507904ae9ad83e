import { ImpositionError } from '../error.ts';

/** Most sheets of one plan: beyond it a copies column is surely wrong. */
export const MAX_SHEETS = 5_000;

/**
 * Each copy of each card, in order.
 * @throws ImpositionError when they are too many
 */
export function everyCopy(copies: readonly number[]): { card: number; copy: number }[] {
  const total = copies.reduce((sum, count) => sum + wholeCount(count), 0);
  // Counted before it is listed, so that a million copies are refused without taking memory.
  limitSheets(total, 1, MAX_SHEETS * 100);
  return copies.flatMap((count, card) =>
    Array.from({ length: wholeCount(count) }, (_, copy) => ({ card, copy })),
  );
}

const wholeCount = (count: number): number => (Number.isFinite(count) ? Math.max(0, Math.floor(count)) : 0);

/** @throws ImpositionError when these cards take more than `most` sheets */
export function limitSheets(cards: number, perSheet: number, most = MAX_SHEETS): void {
  const count = Math.ceil(cards / perSheet);
  if (count > most) {
    throw new ImpositionError(
      `${cards} cards are too many for one print: the most is ${MAX_SHEETS} sheets. Check the copies, or print fewer at a time.`,
    );
  }
}
