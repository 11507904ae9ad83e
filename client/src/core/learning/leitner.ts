import { own } from '../records.ts';

/**
 * Cards learnt with five boxes, as Sebastian Leitner described it: a card that is known goes on to the next box and comes
 * back later, one that is not goes back to the first.
 */
export const BOXES = 5;
/** Days until a card of each box comes back. */
const WAIT_DAYS = [0, 1, 3, 7, 14];
/** Cards asked a day. */
export const CARDS_A_DAY = 20;

/** Box of a card, from 1, and the day on which it was asked last, counted from 1970. */
export interface Mark {
  readonly box: number;
  readonly day: number;
}

/** Marks by the cards' ids; a card without one has never been asked. */
export type Marks = Readonly<Record<string, Mark>>;

const DAY_MS = 86_400_000;

/** The day of a time where whoever learns is, counted from 1970. */
export const dayOf = (time: Date): number =>
  Math.floor((time.getTime() - time.getTimezoneOffset() * 60_000) / DAY_MS);

/** A mark as it is stored. */
export const writeMark = ({ box, day }: Mark): string => `${box} ${day}`;

/** A stored mark; `undefined` for what is none. */
export function readMark(text: string): Mark | undefined {
  const [, box = 0, day = 0] = (/^([1-5]) (\d{1,6})$/.exec(text) ?? []).map(Number);
  return box === 0 ? undefined : { box, day };
}

/** The mark of a card after an answer. */
export function answered(mark: Mark | undefined, known: boolean, day: number): Mark {
  if (!known) return { box: 1, day };
  return { box: Math.min(BOXES, (mark?.box ?? 1) + 1), day };
}

const isDue = ({ box, day }: Mark, today: number): boolean => day + (WAIT_DAYS[box - 1] ?? 0) <= today;

/**
 * The cards to be asked today, in order: those whose day has come, the lowest box first, then new ones, as many as a day
 * takes; last those that were not known today. `asked` are the cards of this sitting, the latest last: of those that were
 * not known, the one asked longest ago comes first.
 */
export function dueCards(
  cards: readonly string[],
  marks: Marks,
  today: number,
  asked: readonly string[] = [],
): readonly string[] {
  const known = cards.map((id) => ({ id, mark: own(marks, id) }));
  const askedToday = known.filter(({ mark }) => mark?.day === today);
  const when = new Map(asked.map((id, at) => [id, at]));
  const again = askedToday
    .filter(({ mark }) => mark?.box === 1)
    .sort((a, b) => (when.get(a.id) ?? -1) - (when.get(b.id) ?? -1));
  const due = known
    .filter(({ mark }) => mark && mark.day !== today && isDue(mark, today))
    .sort((a, b) => (a.mark?.box ?? 0) - (b.mark?.box ?? 0));
  const fresh = known.filter(({ mark }) => !mark);
  const left = Math.max(0, CARDS_A_DAY - askedToday.length);
  return [...[...due, ...fresh].slice(0, left), ...again].map(({ id }) => id);
}

/** Number of cards in each box; those that were never asked come first. */
export function boxCounts(cards: readonly string[], marks: Marks): readonly number[] {
  const counts = Array.from({ length: BOXES + 1 }, () => 0);
  for (const id of cards) {
    const box = own(marks, id)?.box ?? 0;
    counts[box] = (counts[box] ?? 0) + 1;
  }
  return counts;
}
