import type { LibraryImage } from '../../core/images/library.ts';

/** Images that belong to what is shown now, for whoever paints its cards: those of a project, a table, a shared layout. */

const imagesByOwner = new Map<string, readonly LibraryImage[]>();
let all: readonly LibraryImage[] = [];
const observers = new Set<() => void>();

/** Each once, as whoever named it first says. */
export const sharedImages = (): readonly LibraryImage[] => all;

/**
 * Takes over the images of one thing that is shown; none when it is shown no more.
 * @param owner names the project or layout, and where it is shown when only a part of it is
 */
export function setSharedImages(owner: string, images: readonly LibraryImage[]): void {
  if (images.length === 0 && !imagesByOwner.has(owner)) return;
  if (images.length === 0) imagesByOwner.delete(owner);
  else imagesByOwner.set(owner, images);
  const known = new Map<string, LibraryImage>();
  for (const image of [...imagesByOwner.values()].flat()) {
    const key = `${image.shelf}:${image.id}`;
    if (!known.has(key)) known.set(key, image);
  }
  all = [...known.values()];
  for (const observer of observers) observer();
}

/** Calls back whenever they change. */
export function onSharedImages(callback: () => void): () => void {
  observers.add(callback);
  return () => void observers.delete(callback);
}
