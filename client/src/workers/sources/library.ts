import { EMPTY_LIBRARY, ImageLibrary, type LibraryImage, looksOf } from '../../core/images/library.ts';
import type { RenderContext } from '../../render/render-context.ts';
import { openLibrary } from './library-opener.ts';

/** The image library as the page knows it. Workers receive it with their tasks. */

let current = EMPTY_LIBRARY;
let opened: Promise<void> | undefined;
const observers = new Set<() => void>();

/** The library as loaded so far. */
export const knownLibrary = (): ImageLibrary => current;

/** The library, loaded on first use; empty for now where loading fails. */
export async function readyLibrary(): Promise<ImageLibrary> {
  opened ??= openLibrary();
  await opened.catch(() => {
    // The next card retries.
    opened = undefined;
  });
  return current;
}

/** Replaces the library. */
export function setLibrary(images: readonly LibraryImage[]): void {
  current = new ImageLibrary(images);
  for (const observer of observers) observer();
}

/** Calls back whenever the library changes. */
export function onLibrary(callback: () => void): () => void {
  observers.add(callback);
  return () => void observers.delete(callback);
}

/** Makes a render context reread images that changed; returns whether any did. */
export function forgetChanged(
  renderContext: RenderContext,
  before: ImageLibrary,
  after: ImageLibrary,
): boolean {
  let changed = false;
  for (const source of renderContext.images.sources()) {
    if (looksOf(before.find(source)) === looksOf(after.find(source))) continue;
    renderContext.forgetImage(source);
    changed = true;
  }
  return changed;
}
