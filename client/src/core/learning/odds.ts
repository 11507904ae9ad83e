/**
 * Chances of a hand drawn without putting cards back: the hypergeometric distribution.
 */

/** A deck of `cards`, of which `wanted` are of a kind, and the cards drawn from it. */
export interface Drawing {
  readonly cards: number;
  readonly wanted: number;
  readonly hand: number;
}

/** The chance that exactly so many of the hand are of the kind. */
export function chanceOf({ cards, wanted, hand }: Drawing, exactly: number): number {
  const others = cards - wanted;
  if (exactly < 0 || exactly > wanted || hand - exactly > others || exactly > hand || hand > cards) return 0;
  return Math.exp(logChoose(wanted, exactly) + logChoose(others, hand - exactly) - logChoose(cards, hand));
}

/** The chance that at least so many of the hand are of the kind. */
export function chanceOfAtLeast(drawing: Drawing, atLeast: number): number {
  if (atLeast <= 0) return 1;
  let fewer = 0;
  for (let count = 0; count < atLeast; count++) fewer += chanceOf(drawing, count);
  // Sums of rounded numbers may pass their bounds.
  return Math.min(1, Math.max(0, 1 - fewer));
}

/** The number of cards of the kind in a hand, on average. */
export const average = ({ cards, wanted, hand }: Drawing): number =>
  cards === 0 ? 0 : (Math.min(hand, cards) * wanted) / cards;

/** Logarithms, because the numbers of hands of large decks are larger than numbers can be. */
function logChoose(from: number, take: number): number {
  let sum = 0;
  for (let at = 1; at <= Math.min(take, from - take); at++) sum += Math.log(from - at + 1) - Math.log(at);
  return sum;
}
