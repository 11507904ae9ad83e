import type { Deck, WithId } from '../../../data/documents.ts';

export const STATUSES = ['active', 'archived', 'trash'] as const;
export type Status = (typeof STATUSES)[number];

/** What projects can be sorted by. */
export const SORTS = [
  { id: 'changed', label: 'Last changed' },
  { id: 'name', label: 'Name' },
  { id: 'created', label: 'Newest first' },
] as const;
export type Sort = (typeof SORTS)[number]['id'];

export function statusOf({ trashedAt, archived }: Pick<Deck, 'trashedAt' | 'archived'>): Status {
  if (trashedAt > 0) return 'trash';
  return archived ? 'archived' : 'active';
}

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Projects with every word of `text` in their name, description or tags, and with all of `tags`. */
export function find<T extends Pick<Deck, 'name' | 'description' | 'tags'>>(
  decks: readonly T[],
  text: string,
  tags: readonly string[] = [],
): T[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  const wanted = tags.map(fold);
  return decks.filter((deck) => {
    const own = deck.tags.map(fold);
    const all = fold(`${deck.name} ${deck.description} ${own.join(' ')}`);
    return words.every((word) => all.includes(word)) && wanted.every((tag) => own.includes(tag));
  });
}

const BY: Readonly<Record<Sort, (a: WithId<Deck>, b: WithId<Deck>) => number>> = {
  changed: (a, b) => b.updatedAt - a.updatedAt,
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: 'base' }),
  created: (a, b) => b.createdAt - a.createdAt,
};

/** Projects in another order; equal ones by id, so that they never change places. */
export function sorted<T extends WithId<Deck>>(decks: readonly T[], by: Sort): T[] {
  return [...decks].sort((a, b) => BY[by](a, b) || a.id.localeCompare(b.id));
}

/** Every tag once, as first written, the most used first. */
export function tagsOf(decks: readonly Pick<Deck, 'tags'>[]): string[] {
  const counts = new Map<string, { tag: string; count: number }>();
  for (const { tags } of decks) {
    for (const tag of tags) {
      const known = counts.get(fold(tag)) ?? { tag, count: 0 };
      known.count++;
      counts.set(fold(tag), known);
    }
  }
  return [...counts.values()]
    .sort((a, b) => b.count - a.count || a.tag.localeCompare(b.tag))
    .map(({ tag }) => tag);
}
