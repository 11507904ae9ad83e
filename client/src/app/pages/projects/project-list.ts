import type { ProjectDocument, WithId } from '../../../data/documents/documents.ts';
import { dayAndTime } from '../../../ui/dates.ts';

export const STATUSES = ['active', 'archived', 'trash'] as const;
export type Status = (typeof STATUSES)[number];

/** Sort orders of projects. */
export const SORTS = [
  { id: 'changed', label: 'Last changed' },
  { id: 'name', label: 'Name' },
  { id: 'created', label: 'Newest first' },
] as const;
export type Sort = (typeof SORTS)[number]['id'];

export function statusOf({ trashedAt, archived }: Pick<ProjectDocument, 'trashedAt' | 'archived'>): Status {
  if (trashedAt > 0) return 'trash';
  return archived ? 'archived' : 'active';
}

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Choices of a project, by their ids. Of those with one name, each says when it was made. */
export function projectChoices(
  projects: readonly Pick<WithId<ProjectDocument>, 'id' | 'name' | 'createdAt'>[],
): { readonly value: string; readonly label: string }[] {
  const named = new Map<string, number>();
  for (const { name } of projects) named.set(fold(name), (named.get(fold(name)) ?? 0) + 1);
  return projects.map(({ id, name, createdAt }) => ({
    value: id,
    label: named.get(fold(name)) === 1 ? name : `${name}, made ${dayAndTime(createdAt)}`,
  }));
}

/** Projects with every word of `text` in their name, description or tags, and with all of `tags`. */
export function find<T extends Pick<ProjectDocument, 'name' | 'description' | 'tags'>>(
  projects: readonly T[],
  text: string,
  tags: readonly string[] = [],
): T[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  const wanted = tags.map(fold);
  return projects.filter((project) => {
    const own = project.tags.map(fold);
    const all = fold(`${project.name} ${project.description} ${own.join(' ')}`);
    return words.every((word) => all.includes(word)) && wanted.every((tag) => own.includes(tag));
  });
}

const BY: Readonly<Record<Sort, (a: WithId<ProjectDocument>, b: WithId<ProjectDocument>) => number>> = {
  changed: (a, b) => b.updatedAt - a.updatedAt,
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: 'base' }),
  created: (a, b) => b.createdAt - a.createdAt,
};

/** Projects in another order; equal ones by id, so that they never change places. */
export function sorted<T extends WithId<ProjectDocument>>(projects: readonly T[], by: Sort): T[] {
  return [...projects].sort((a, b) => BY[by](a, b) || a.id.localeCompare(b.id));
}

/** Every tag once, as first written, the most used first. */
export function tagsOf(projects: readonly Pick<ProjectDocument, 'tags'>[]): string[] {
  const counts = new Map<string, { tag: string; count: number }>();
  for (const { tags } of projects) {
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
