import * as z from 'zod';
import { ImageLibrary, type LibraryImage, readReference, referenceTo } from '../images/library.ts';
import { cleanPath, freePath } from '../images/path.ts';
import { type Rename, renameInCell, renameInScene } from '../images/sources.ts';
import type { Json, JsonObject, ProjectBundle } from './bundle.ts';
import { stableJson } from './stable-json.ts';
import { byName } from './zip.ts';

/** Placeholder for an image's id in an archive, where images are identified by path alone. */
export const ARCHIVE_ID = 'archive';

const share = z.number().min(0).max(1);
const words = z.array(z.string()).catch([]).default([]);

/** Metadata of an image in an archive. Unreadable fields take their defaults. */
export const imageFactsSchema = z.object({
  /** The library it was in: the user's (`image`) or the shared one (`stock`). */
  shelf: z.enum(['image', 'stock']).catch('image').default('image'),
  former: words,
  tags: words,
  licence: z.string().catch('').default(''),
  credit: z.string().catch('').default(''),
  focus: z.object({ x: share, y: share }).optional().catch(undefined),
  crop: z
    .object({ x: share, y: share, w: share.min(0.01), h: share.min(0.01) })
    .optional()
    .catch(undefined),
  /** Name and colours, for an icon of the icon library. */
  icon: z
    .object({ name: z.string(), color: z.string(), ground: z.string().nullable().default(null) })
    .optional()
    .catch(undefined),
});
export type ImageFacts = z.infer<typeof imageFactsSchema>;

/** Metadata of an image without the fields that have their default. */
export function writeFacts(facts: ImageFacts): JsonObject {
  const entries = Object.entries(facts).filter(
    ([key, value]) =>
      value !== undefined &&
      value !== '' &&
      !(Array.isArray(value) && value.length === 0) &&
      !(key === 'shelf' && value === 'image'),
  );
  return Object.fromEntries(entries) as Record<string, Json>;
}

/** An image of a library, on its way into an archive. */
export interface OutgoingImage {
  readonly image: LibraryImage;
  /** Its bytes' SHA-256. */
  readonly hash: string;
  readonly facts: ImageFacts;
}

/** Renames images in every text of a bundle that may name them. */
export function renameImages(bundle: ProjectBundle, rename: Rename): ProjectBundle {
  return {
    ...bundle,
    layouts: bundle.layouts.map((layout) => ({ ...layout, scene: renameInScene(layout.scene, rename) })),
    components: bundle.components.map((component) => {
      const ofImages = imageColumns(component.fields);
      const cards = component.cards.map((card) => ({
        ...card,
        cells: Object.fromEntries(
          Object.entries(card.cells).map(([key, text]) => [
            key,
            renameInCell(text, ofImages.has(key), rename),
          ]),
        ),
      }));
      return { ...component, cards };
    }),
    rulebooks: bundle.rulebooks.map((rulebook) => ({
      ...rulebook,
      blocks: renameInScene(rulebook.blocks, rename),
    })),
  };
}

function imageColumns({ columns }: JsonObject): ReadonlySet<string> {
  return new Set(
    (Array.isArray(columns) ? columns : []).flatMap((column: Json) =>
      typeof column === 'object' && column !== null && 'key' in column && column.type === 'image'
        ? [String(column.key)]
        : [],
    ),
  );
}

/** The images of a library that a project shows, each once. */
export function imagesOf(bundle: ProjectBundle, library: ImageLibrary): LibraryImage[] {
  const found = new Map<string, LibraryImage>();
  renameImages(bundle, (source) => {
    const image = library.find(source);
    if (image) found.set(`${image.shelf}:${image.id}`, image);
    return undefined;
  });
  return [...found.values()];
}

/** A bundle whose texts use the images' names in the archive; these names and metadata in the order of the images. */
export interface ArchiveNames {
  readonly bundle: ProjectBundle;
  readonly names: readonly string[];
  readonly facts: readonly ImageFacts[];
}

/**
 * Names images by their paths and rewrites the bundle to match. Names follow from paths, bytes and metadata, never from
 * ids: the same project makes the same archive in any library.
 */
export function nameImages(
  bundle: ProjectBundle,
  library: ImageLibrary,
  pictures: readonly OutgoingImage[],
): ArchiveNames {
  const rank = ({ image, hash, facts }: OutgoingImage) =>
    stableJson([cleanPath(image.path) || 'Picture', image.shelf, hash, writeFacts(facts)]);
  const ranks = pictures.map(rank);
  const taken = new Set<string>();
  const byRank = new Map<string, string>();
  for (const [i, picture] of [...pictures.entries()].sort(([a], [b]) =>
    byName(ranks[a] ?? '', ranks[b] ?? ''),
  )) {
    // Identical images are one.
    if (byRank.has(ranks[i] ?? '')) continue;
    const wanted = cleanPath(picture.image.path) || 'Picture';
    const name = freePath(wanted, (path) => taken.has(path.toLowerCase()));
    taken.add(name.toLowerCase());
    byRank.set(ranks[i] ?? '', name);
  }
  const names = ranks.map((one) => byRank.get(one) ?? '');
  const nameOfImage = new Map(pictures.map(({ image }, i) => [`${image.shelf}:${image.id}`, names[i] ?? '']));
  const renamed = renameImages(bundle, (source) => {
    const image = readReference(source) && library.find(source);
    const path = image && nameOfImage.get(`${image.shelf}:${image.id}`);
    return path ? referenceTo({ shelf: image.shelf, id: ARCHIVE_ID, path }) : undefined;
  });
  const facts = pictures.map(({ image, facts }, i) => withFormer(facts, image.path, names[i] ?? ''));
  return { bundle: renamed, names, facts };
}

/** Texts that people typed still name an image by its path in the library when it has another name in the archive. */
const withFormer = (facts: ImageFacts, path: string, name: string): ImageFacts =>
  path === name || facts.former.includes(path) ? facts : { ...facts, former: [...facts.former, path] };

/** An image of an archive and the image of the reader's library that it became. */
export interface Placement {
  /** Its path in the archive. */
  readonly path: string;
  readonly facts: ImageFacts;
  readonly image: LibraryImage;
}

/**
 * Rewrites a bundle to the reader's library. Names that people typed stay, except where the reader's library would
 * resolve them to another image.
 * @param library the reader's, including the placed images
 */
export function placeImages(
  bundle: ProjectBundle,
  placements: readonly Placement[],
  library: ImageLibrary,
): ProjectBundle {
  const archive = new ImageLibrary(
    placements.map(({ path, facts }) => ({
      id: path,
      shelf: facts.shelf,
      path,
      former: facts.former,
      url: '',
    })),
  );
  const placed = new Map(placements.map(({ path, image }) => [path, image]));
  return renameImages(bundle, (source) => {
    const reference = readReference(source);
    if (reference && reference.id !== ARCHIVE_ID) return undefined;
    // Looked up by path, since ids mean nothing in an archive.
    const entry = reference ? placed.get(reference.path) : placed.get(archive.find(source)?.path ?? '');
    if (!entry) return undefined;
    const found = reference ? undefined : library.find(source);
    if (found && found.id === entry.id && found.shelf === entry.shelf) return undefined;
    return referenceTo(entry);
  });
}
