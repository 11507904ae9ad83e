import type { LibraryImage } from '../../core/images/library.ts';

/** The pictures that the people of the open project lend it, for whoever paints its cards. */

let lent: readonly LibraryImage[] = [];
const observers = new Set<() => void>();

export const lentPictures = (): readonly LibraryImage[] => lent;

/** Takes over the pictures of the project that is open; none when there is none. */
export function setLent(images: readonly LibraryImage[]): void {
  if (lent.length === 0 && images.length === 0) return;
  lent = images;
  for (const observer of observers) observer();
}

/** Calls back whenever they change. */
export function onLent(callback: () => void): () => void {
  observers.add(callback);
  return () => void observers.delete(callback);
}
