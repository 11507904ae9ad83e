import type { LibraryImage } from '../../core/images/library.ts';

/** Most images remembered as used last. */
const MAX_RECENT = 12;
const KEY = 'tuckbox-recent-images';

/** References of the images picked last in this browser, newest first. */
export function recentImages(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Remembers that an image was picked. */
export function rememberImage({ shelf, id }: Pick<LibraryImage, 'shelf' | 'id'>): void {
  const key = `${shelf}:${id}`;
  try {
    const list = [key, ...recentImages().filter((one) => one !== key)].slice(0, MAX_RECENT);
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // A browser that keeps nothing has no recent images.
  }
}
