/** A version's first name, where none before it has a number. */
const FIRST = 'v0.1';

/** The name with its last number raised by one: `v0.9` → `v0.10`; `undefined` without a number. */
function raised(name: string): string | undefined {
  const [, before, digits, after] = /^(.*?)(\d+)(\D*)$/s.exec(name) ?? [];
  if (before === undefined || digits === undefined) return undefined;
  const next = (BigInt(digits) + 1n).toString();
  // Leading zeros stay: `07` → `08`.
  return `${before}${next.padStart(digits.length, '0')}${after}`;
}

/**
 * A name for the next version: after the newest name with a number, and none that is taken.
 * @param names of the versions that have one, the newest first
 */
export function nextName(names: readonly string[]): string {
  const taken = new Set(names.map((name) => name.trim()));
  const newest = [...taken].find((name) => raised(name) !== undefined);
  let name = newest === undefined ? FIRST : (raised(newest) ?? FIRST);
  while (taken.has(name)) name = raised(name) ?? `${name} 2`;
  return name;
}
