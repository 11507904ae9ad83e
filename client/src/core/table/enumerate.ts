/** Most rows that combinations of lists may make. */
export const MAX_ENUMERATED = 5_000;
/** Most lists that are combined. */
export const MAX_LISTS = 8;

/** A column and its values. */
export interface Enumeration {
  readonly name: string;
  readonly values: readonly string[];
}

/**
 * Parses a list of values: one a line, or with commas between; `1..10` counts, also downwards. A repeated value is kept
 * each time.
 */
export function readValues(text: string): string[] {
  const parts = text.split(text.includes('\n') ? /\n/ : /,/).map((part) => part.trim());
  return parts.filter((part) => part !== '').flatMap(expand);
}

function expand(part: string): string[] {
  const range = /^(-?\d{1,6})\s*\.\.\s*(-?\d{1,6})$/.exec(part);
  if (!range) return [part];
  const [from, to] = [Number(range[1]), Number(range[2])];
  const count = Math.min(Math.abs(to - from) + 1, MAX_ENUMERATED + 1);
  return Array.from({ length: count }, (_, i) => String(from + Math.sign(to - from) * i));
}

/** Number of rows that all combinations make; a list without values takes no part. */
export function countCombinations(lists: readonly Enumeration[]): number {
  const used = lists.filter(({ values }) => values.length > 0);
  return used.length === 0 ? 0 : used.reduce((product, { values }) => product * values.length, 1);
}

/** At most `limit` of all combinations, the last list changing the fastest. */
export function combinations(lists: readonly Enumeration[], limit = MAX_ENUMERATED): string[][] {
  const used = lists.filter(({ values }) => values.length > 0);
  const total = Math.min(limit, countCombinations(lists));
  return Array.from({ length: total }, (_, i) => {
    let rest = i;
    const row: string[] = [];
    for (const { values } of [...used].reverse()) {
      row.unshift(values[rest % values.length] ?? '');
      rest = Math.floor(rest / values.length);
    }
    return row;
  });
}
