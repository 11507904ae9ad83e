import type { LibraryImage } from '../../core/images/library.ts';

/** In a project, names mean its own images first. */
const PROJECT_RANK = -1;

/** An image that a project may show: one of its own has a rank. */
export type Seen<T extends LibraryImage> = T & { readonly rank?: number | undefined };

/** An image of a project, to whoever looks at the project. */
export const ofProject = <T extends LibraryImage>(image: T): Seen<T> => ({ ...image, rank: PROJECT_RANK });

/**
 * All images that a project may show to somebody: its own, and those of their libraries. A copy takes the place of what it
 * is of.
 */
export function imagesSeen<T extends LibraryImage>(
  own: readonly T[],
  libraries: readonly T[],
): readonly Seen<T>[] {
  const ids = new Set(own.map(({ id }) => id));
  return [...own.map(ofProject), ...libraries.filter(({ shelf, id }) => shelf !== 'image' || !ids.has(id))];
}
