import type { PrintPart } from '../../imposition/job/print-job.ts';

/** Cards of a component that have one value in a column: `Cards where Suit is Hearts`. */
export interface ValueSet {
  readonly name: string;
  readonly value: readonly [column: string, value: string];
  readonly members: readonly number[];
}

/** A definition with the cells that its sets are read from. */
export interface Sorted {
  readonly no: number;
  readonly columns: PrintPart['columns'];
  readonly cells: Readonly<Record<string, string>>;
}

/** Different values of a column at most: more are names or texts, not sorts of cards. */
const MOST_VALUES = 12;
/** Longest value, in characters. */
const MOST_CHARS = 40;
/** Sets of one component at most, so that every component of a box has its own. */
const MOST_SETS = 40;

/**
 * Sets of a component by the values of its columns. A column that has one value, or almost as many as cards, sorts
 * nothing.
 */
export function valueSets(component: string, cards: readonly Sorted[]): readonly ValueSet[] {
  const columns = new Map<string, Map<string, number[]>>();
  for (const { no, columns: own, cells } of cards) {
    for (const { key, name } of own) {
      const value = (cells[key] ?? '').trim();
      if (value === '' || name === '') continue;
      const values = columns.get(name) ?? new Map<string, number[]>();
      values.set(value, [...(values.get(value) ?? []), no]);
      columns.set(name, values);
    }
  }
  const sets: ValueSet[] = [];
  for (const [column, values] of columns) {
    if (!sorts(values, cards.length) || sets.length + values.size > MOST_SETS) continue;
    for (const [value, members] of values) {
      sets.push({ name: `${component} where ${column} is ${value}`, value: [column, value], members });
    }
  }
  return sets;
}

function sorts(values: ReadonlyMap<string, readonly number[]>, cards: number): boolean {
  const isShort = [...values.keys()].every((value) => value.length <= MOST_CHARS);
  return isShort && values.size >= 2 && values.size <= MOST_VALUES && values.size * 2 <= cards;
}
