import { evaluate, textOf } from '../expression/expression.ts';
import { rowScope } from '../expression/row-scope.ts';

/** Numbers on the places of a track: counted on, or worked out by a formula. */
export interface TrackNumbers {
  readonly by: 'counting' | 'formula';
  /** Number on the first place. */
  readonly from: number;
  readonly step: number;
  /** Only every so many places are numbered; 0 numbers none. */
  readonly every: number;
  /** Knows the place's number as `n`, and that of all places as `count`. */
  readonly formula: string;
}

/** Words on a place and the words that tell it from the others, place by place. */
export interface NumberedPlaces {
  readonly labels: readonly string[];
  readonly titles: readonly string[];
}

/** Names that the formula of a place knows. */
export const placeScope = (n: number, count: number) => rowScope({ cells: {}, index: n, count }, [], { n });

/** Numbers of a track; a place for which the formula fails is left blank. */
export function trackNumbers(count: number, numbers: TrackNumbers): NumberedPlaces {
  const { by, from, step, every } = numbers;
  const places = Array.from({ length: count }, (_, index) => index);
  if (by === 'counting') {
    const number = (index: number) => String(from + index * step);
    return {
      labels: places.map((index) => (every > 0 && index % every === 0 ? number(index) : '')),
      // Numbers that do not go on would give several places one name.
      titles: places.map((index) => (step === 0 ? String(index + 1) : number(index))),
    };
  }
  const labels = places.map((index) => {
    const result = evaluate(numbers.formula, placeScope(index + 1, count));
    return result.ok ? textOf(result.value).trim() : '';
  });
  const alone = new Set(labels).size === labels.length && !labels.includes('');
  return { labels, titles: alone ? labels : places.map((index) => String(index + 1)) };
}
