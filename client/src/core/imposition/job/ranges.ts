import { ImpositionError } from '../error.ts';

/** Longest list of cards that is read, in UTF-16 units. */
const MAX_LENGTH = 2_000;
/** Most copies of one card. */
export const MAX_RANGE_COPIES = 999;

/**
 * Parses the cards to print: `1-5, 8, 12x3` is cards 1 to 5, card 8 and three copies of card 12. Empty is every card.
 * @param count number of cards
 * @returns copies by index of the card; `undefined` leaves the copies as they are, 0 leaves the card out
 * @throws ImpositionError naming the part that cannot be parsed
 */
export function readRanges(text: string, count: number): (number | undefined)[] {
  if (text.trim() === '') return Array.from({ length: count }, () => undefined);
  if (text.length > MAX_LENGTH) throw new ImpositionError(`That list of cards is too long.`);
  const chosen = Array.from({ length: count }, (): number | undefined => 0);
  // Spaces separate as commas do, but not around a dash or a times sign.
  for (const piece of text.replace(/\s*([-–x×*])\s*/gi, '$1').split(/[,;\s]+/)) {
    if (piece === '') continue;
    const match = /^(\d{1,6})(?:[-–](\d{1,6})?)?(?:[x×*](\d{1,4}))?$/i.exec(piece);
    const first = Number(match?.[1]);
    const open = /[-–]/.test(piece);
    const last = match?.[2] ? Number(match[2]) : open ? count : first;
    const copies = match?.[3] === undefined ? undefined : Number(match[3]);
    if (!match || first < 1 || last < first || (copies ?? 0) > MAX_RANGE_COPIES) {
      throw new ImpositionError(`“${piece}” is not a card or a range of cards: write 1-5, 8 or 12x3.`);
    }
    if (first > count || last > count) {
      throw new ImpositionError(
        `There is no card ${first > count ? first : last}: the last one is card ${count}.`,
      );
    }
    for (let index = first - 1; index < last; index++) chosen[index] = copies;
  }
  return chosen;
}
