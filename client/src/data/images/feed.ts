import type { LibraryKind } from '../../core/images/library.ts';
import { setLibrary } from '../../workers/sources/library.ts';
import { libraryStore, toLibraryImage } from './library-store.ts';
import { onSharedImages, sharedImages } from './shared-images.ts';

/** Changes that come closer together than this, in milliseconds, reach the painters as one. */
const SETTLE_MS = 250;
const LIBRARIES: readonly LibraryKind[] = ['image', 'stock'];

let waiting: ReturnType<typeof setTimeout> | undefined;
let started: Promise<void> | undefined;

function publish(): void {
  waiting = undefined;
  const libraryImages = LIBRARIES.flatMap((kind) => libraryStore(kind).snapshot().images.map(toLibraryImage));
  const shown = sharedImages();
  const known = new Set(shown.map(({ shelf, id }) => `${shelf}:${id}`));
  setLibrary([...shown, ...libraryImages.filter(({ shelf, id }) => !known.has(`${shelf}:${id}`))]);
}

/**
 * Brings both libraries, and the images of what is open, to whatever paints cards, now and after each change. Visitors
 * have no libraries, but what is open may have images.
 */
export function feedPainters(): Promise<void> {
  started ??= start();
  started.catch(() => {
    started = undefined;
  });
  return started;
}

async function start(): Promise<void> {
  // The shared pictures are an extra: without them a card still shows one's own.
  await Promise.all([
    libraryStore('image').first(),
    libraryStore('stock')
      .first()
      .catch(() => undefined),
  ]);
  publish();
  const soon = () => {
    if (waiting === undefined) waiting = setTimeout(publish, SETTLE_MS);
  };
  for (const kind of LIBRARIES) libraryStore(kind).subscribe(soon);
  onSharedImages(soon);
}
