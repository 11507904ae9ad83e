import type { LibraryImage } from '../../core/images/library.ts';

/** Pictures that others lend what is shown now, for whoever paints its cards. */

const lenders = new Map<string, readonly LibraryImage[]>();
let all: readonly LibraryImage[] = [];
const observers = new Set<() => void>();

/** Each once, as whoever lent it first says. */
export const lentPictures = (): readonly LibraryImage[] => all;

/**
 * Takes over what one lender lends now; none when it lends no more.
 * @param lender names the project or layout, and where it is shown when only a part of it is
 */
export function setLent(lender: string, images: readonly LibraryImage[]): void {
  if (images.length === 0 && !lenders.has(lender)) return;
  if (images.length === 0) lenders.delete(lender);
  else lenders.set(lender, images);
  const known = new Map<string, LibraryImage>();
  for (const image of [...lenders.values()].flat()) {
    const key = `${image.shelf}:${image.id}`;
    if (!known.has(key)) known.set(key, image);
  }
  all = [...known.values()];
  for (const observer of observers) observer();
}

/** Calls back whenever they change. */
export function onLent(callback: () => void): () => void {
  observers.add(callback);
  return () => void observers.delete(callback);
}
