/**
 * Records whose keys people choose: columns, names of zones and styles. A plain object inherits `constructor` and
 * others from `Object.prototype`, so that `record[key]` finds a function where nothing was stored. What is looked up
 * by such a key goes through here.
 */

/** What a record itself holds under a key. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A record that inherits nothing. */
export function bareRecord<T>(entries: Iterable<readonly [key: string, value: T]>): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  for (const [key, value] of entries) record[key] = value;
  return record;
}

/** Whether every object has something under this name, so that no new key should be called so. */
export const isInherited = (name: string): boolean => name in Object.prototype;

/** Text of a cell by its column's key; a cell that is not there is empty. */
export function cellAt(cells: Readonly<Record<string, string>>, key: string): string {
  return own(cells, key) ?? '';
}
