/**
 * Records whose keys people choose: columns, names of zones and styles. A plain object inherits `constructor` and
 * others from `Object.prototype`, so that `record[key]` finds a function where nothing was stored. Look-ups by such
 * keys go through here.
 */

/** A record's own value for a key; inherited ones do not count. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A record that inherits nothing. */
export function bareRecord<T>(entries: Iterable<readonly [key: string, value: T]>): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  for (const [key, value] of entries) record[key] = value;
  return record;
}

/** True if every object inherits a member of this name, so that no new key should have it. */
export const isInherited = (name: string): boolean => name in Object.prototype;

/** Text of a cell by its column's key; a missing cell is empty. */
export function cellAt(cells: Readonly<Record<string, string>>, key: string): string {
  return own(cells, key) ?? '';
}
