import type { BranchChange } from './change.ts';

type Choosable = Pick<BranchChange, 'key' | 'conflict' | 'needs'>;

/** Chosen changes with all that they need. */
function withNeeds(changes: ReadonlyMap<string, Choosable>, key: string, into: Set<string>): void {
  if (into.has(key)) return;
  into.add(key);
  for (const need of changes.get(key)?.needs ?? []) withNeeds(changes, need, into);
}

const byKey = (changes: readonly Choosable[]) => new Map(changes.map((change) => [change.key, change]));

/** Chosen changes of which none lacks what it needs. */
function withoutLacking(changes: readonly Choosable[], chosen: ReadonlySet<string>): ReadonlySet<string> {
  const lacks = ({ key, needs = [] }: Choosable) =>
    chosen.has(key) && !needs.every((need) => chosen.has(need));
  const lacking = new Set(changes.filter(lacks).map(({ key }) => key));
  if (lacking.size === 0) return chosen;
  return withoutLacking(changes, new Set([...chosen].filter((key) => !lacking.has(key))));
}

/**
 * Keys of the changes that are chosen at first: those that nobody else touched, with what they need.
 * @param most so many of them at most, the first
 */
export function firstChosen(changes: readonly Choosable[], most: number): ReadonlySet<string> {
  const known = byKey(changes);
  const free = withoutLacking(
    changes,
    new Set(changes.filter(({ conflict }) => !conflict).map(({ key }) => key)),
  );
  let chosen = new Set<string>();
  for (const key of free) {
    const next = new Set(chosen);
    withNeeds(known, key, next);
    if (next.size <= most) chosen = next;
  }
  return chosen;
}

/** A choice with all of some changes and what they need, or with none of them. */
export const choosingAll = (
  changes: readonly Choosable[],
  chosen: ReadonlySet<string>,
  keys: readonly string[],
  on: boolean,
): ReadonlySet<string> => keys.reduce((known, key) => choosing(changes, known, key, on), chosen);

/** A choice with one change more, and what it needs; or with one less, and without what needs it. */
export function choosing(
  changes: readonly Choosable[],
  chosen: ReadonlySet<string>,
  key: string,
  on: boolean,
): ReadonlySet<string> {
  if (!on) return withoutLacking(changes, new Set([...chosen].filter((one) => one !== key)));
  const next = new Set<string>();
  const known = byKey(changes);
  for (const one of [...chosen, key]) withNeeds(known, one, next);
  return next;
}
