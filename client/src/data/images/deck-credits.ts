import { ImageLibrary } from '../../core/images/library.ts';
import { type CreditLine, creditLines, imagesOfDeck } from './credits.ts';
import { besidesOwn, readDeckPictures } from './deck-pictures.ts';
import type { StoredImage } from './library-store.ts';

/** Who made the pictures of a project. */
export interface DeckCredits {
  readonly lines: readonly CreditLine[];
  /** Names that no library has. */
  readonly missing: readonly string[];
}

/**
 * The credits of a project: of the pictures in the user's libraries, and of those that other members lend it.
 * @param libraryImages the user's own images, and those for everybody
 */
export async function creditsOf(deck: string, libraryImages: readonly StoredImage[]): Promise<DeckCredits> {
  const all = [...libraryImages, ...besidesOwn(await readDeckPictures(deck), libraryImages, deck)];
  const { images, missing } = await imagesOfDeck(deck, new ImageLibrary(all));
  const known = new Map(all.map((image) => [`${image.shelf}:${image.id}`, image]));
  return {
    lines: creditLines(images.flatMap(({ shelf, id }) => known.get(`${shelf}:${id}`) ?? [])),
    missing,
  };
}
