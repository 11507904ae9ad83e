import { isolated } from '../../core/text/names.ts';
import { languageName } from '../../core/translation/language-names.ts';
import type { AssetUse } from '../../data/asset-copies.ts';
import type { Kept, Things } from '../../data/transfers/transfer.ts';

/** Most uses that a sentence names. */
const MAX_NAMED = 2;

const NAMES: Readonly<Record<AssetUse['kind'], (name: string) => string>> = {
  component: (name) => `component “${name}”`,
  layout: (name) => `layout “${name}”`,
  card: (name) => (name === '' ? 'a card' : `card “${name}”`),
  translation: (tag) => `texts in ${languageName(tag)}`,
  rulebook: (name) => `rulebook “${name}”`,
  link: () => 'its link, which is shared',
  change: () => 'a change since',
  place: (name) => name,
};

/** Things by their number, such as “2 layouts”; one by its name. */
export function countedThings(kind: Things['kind'], count: number, name = ''): string {
  if (count === 1) return name === '' ? `1 ${kind.slice(0, -1)}` : `“${isolated(name)}”`;
  return `${count} ${kind}`;
}

/** Uses of a thing in words, such as “component “Heroes” and 2 more places”. */
export function usesInWords(uses: readonly AssetUse[]): string {
  const named = uses.slice(0, MAX_NAMED).map(({ kind, name }) => NAMES[kind](isolated(name)));
  const more = uses.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more} more ${more === 1 ? 'place' : 'places'}`;
  return named.join(' and ');
}

/** A line for each thing that stays: its name, and what uses it. */
export function keptInWords(kept: Kept, names: ReadonlyMap<string, string>): readonly string[] {
  return [...kept].map(([id, uses]) => `“${isolated(names.get(id) ?? id)}” is used by ${usesInWords(uses)}.`);
}
