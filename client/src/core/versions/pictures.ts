import type { JsonObject } from '../archive/bundle.ts';
import { ImageLibrary, type LibraryImage } from '../images/library.ts';
import { type Rename, renameInCell, renameInScene } from '../images/sources.ts';
import type { Layout } from '../scene/layout.ts';
import { isStoredHere } from '../stored-file.ts';
import type { FileDifference } from './files.ts';
import { textAt } from './stored-change.ts';

/** One of two states that are compared. */
export type Side = 'before' | 'after';

/** A name that no image has: what named an image that a state had not shows none. */
const NONE = 'image:none';

/** The project's own images come first, as in `data/images/seen.ts`. */
const PROJECT_RANK = -1;

function imageOf(id: string, fields: JsonObject): LibraryImage[] {
  const url = textAt(fields, 'url');
  // Documents name addresses, and people write documents.
  if (!isStoredHere(url)) return [];
  const former = fields['former'];
  return [
    {
      id,
      shelf: 'image',
      path: textAt(fields, 'path'),
      former: Array.isArray(former) ? former.filter((one) => typeof one === 'string') : [],
      url,
      rank: PROJECT_RANK,
    },
  ];
}

/**
 * Addresses for the images that looked otherwise in a state than they do today: painters know today's images alone.
 * An address has no crop, so one that was cropped is shown whole.
 * @param today the images that painters know
 * @param images those that the two states do not have alike
 * @returns `undefined` if every image is as it is today
 */
export function imagesOfState(
  today: ImageLibrary,
  images: readonly Pick<FileDifference, 'id' | 'stored'>[],
  side: Side,
): Rename | undefined {
  if (images.length === 0) return undefined;
  const changed = new Set(images.map(({ id }) => id));
  const then = new ImageLibrary([
    ...today.images.filter(({ id, shelf }) => shelf !== 'image' || !changed.has(id)),
    ...images.flatMap(({ id, stored: { [side]: fields } }) => (fields ? imageOf(id, fields) : [])),
  ]);
  return (source) => {
    const [was, is] = [then.find(source), today.find(source)];
    if (was?.url === is?.url) return undefined;
    return was ? was.url : NONE;
  };
}

/** A layout with the images of a state. */
export const withImages = (layout: Layout, images: Rename | undefined): Layout =>
  images ? renameInScene(layout, images) : layout;

/** A card's cells with the images of a state. @param columns of the cells that name images */
export const cellsWithImages = (
  cells: Readonly<Record<string, string>>,
  ofImages: ReadonlySet<string>,
  images: Rename | undefined,
): Readonly<Record<string, string>> =>
  images
    ? Object.fromEntries(
        Object.entries(cells).map(([key, text]) => [key, renameInCell(text, ofImages.has(key), images)]),
      )
    : cells;
