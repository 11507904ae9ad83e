import type { ProjectBundle } from '../../../core/archive/bundle.ts';
import { ArchiveError } from '../../../core/archive/error.ts';
import {
  type ImageFacts,
  imageFactsSchema,
  type Placement,
  placeImages,
} from '../../../core/archive/images.ts';
import { ImageLibrary, type LibraryImage } from '../../../core/images/library.ts';
import { cleanPath, freePath } from '../../../core/images/path.ts';
import type { Prepared } from '../../images/upload/upload-item.ts';
import { storedPath } from '../../images/upload/upload-plan.ts';
import type { StoredFile } from '../../images/upload/upload-queue.ts';
import { inParallel } from './images-out.ts';
import type { ProjectWork } from './read-project.ts';

/** Pictures sent at once. */
const PARALLEL_UPLOADS = 4;

/** An image that is in the library already. */
export interface HeldImage extends LibraryImage {
  /** SHA-256 of the file as it was given. */
  readonly hash: string;
  /** Length of the file as it is kept, in bytes. */
  readonly bytes: number;
  readonly file: string;
}

/** An image to be added to the user's own library. */
export interface NewImage extends StoredFile {
  readonly id: string;
  readonly path: string;
  readonly content: Prepared;
  readonly facts: ImageFacts;
}

/** Library operations needed to import images. */
export interface ImageTarget {
  /** The user's own images, and those for everybody. */
  images(): Promise<readonly HeldImage[]>;
  /** SHA-256 of an image's file as it is kept; undefined when it cannot be had. */
  keptHash(image: HeldImage): Promise<string | undefined>;
  /** Rejects with a sentence when the bytes are no image that can be used. */
  prepare(bytes: Uint8Array<ArrayBuffer>): Promise<Prepared>;
  send(id: string, content: Prepared, signal: AbortSignal): Promise<StoredFile>;
  add(picture: NewImage): Promise<void>;
  /** Takes away images that were added, and files that were sent. */
  remove(added: readonly string[], files: readonly string[]): Promise<void>;
  newId(): string;
}

export interface ImagesTaken {
  /** The project, calling its pictures as the library does. */
  readonly bundle: ProjectBundle;
  /** Takes away again what was added. */
  undo(): Promise<void>;
}

/**
 * Puts a bundle's pictures into the user's library. Those that are there already, with the same bytes and cut
 * alike, are used as they are, under whatever name; others are added. A failure takes away what was added.
 * @throws ArchiveError naming a picture that is none
 */
export async function takeImages(
  bundle: ProjectBundle,
  target: ImageTarget,
  { signal, onProgress }: ProjectWork = {},
): Promise<ImagesTaken> {
  if (bundle.images.length === 0) return { bundle, undo: async () => {} };
  const added: string[] = [];
  const files: string[] = [];
  const undo = () => target.remove(added, files);
  const held = await target.images();
  const taken = new Set(held.filter(({ shelf }) => shelf === 'image').map(({ path }) => path.toLowerCase()));
  const sent = new Map<string, Promise<StoredFile>>();
  const placements: Placement[] = [];
  const stop = new AbortController();
  const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  let done = 0;
  try {
    await inParallel(bundle.images, PARALLEL_UPLOADS, async ({ path, bytes, facts: said }, place) => {
      both.throwIfAborted();
      const facts = imageFactsSchema.parse(said);
      const content = await target.prepare(bytes).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        throw new ArchiveError(`images/${path}: ${why}`);
      });
      let image: LibraryImage | undefined = await findHeld(held, path, facts, content, target);
      if (!image) {
        const twin = held.find(({ hash, shelf }) => shelf === 'image' && hash === content.hash);
        const id = target.newId();
        let stored = twin && Promise.resolve({ file: twin.file, url: twin.url });
        stored ??= sent.get(content.hash);
        if (!stored) {
          stored = target.send(id, content, both).then((one) => {
            files.push(one.file);
            return one;
          });
          sent.set(content.hash, stored);
        }
        const { file, url } = await stored;
        both.throwIfAborted();
        // From here to the reservation nothing waits: no two pictures get one path.
        const wanted = content.converted
          ? storedPath(path, content.ending, true)
          : cleanPath(path) || 'Picture';
        const own = freePath(wanted, (one) => taken.has(one.toLowerCase()));
        taken.add(own.toLowerCase());
        added.push(id);
        await target.add({ id, path: own, content, facts, file, url });
        image = {
          id,
          shelf: 'image',
          path: own,
          former: facts.former,
          url,
          crop: facts.crop,
          focus: facts.focus,
        };
      }
      placements[place] = { path, facts, image };
      onProgress?.({ done: ++done, total: bundle.images.length, what: 'Sending pictures' });
    });
  } catch (error) {
    stop.abort();
    await undo().catch(() => undefined);
    throw error;
  }
  const fresh = new Set(added);
  const library = new ImageLibrary([
    ...held,
    ...placements.flatMap(({ image }) => (fresh.has(image.id) ? [image] : [])),
  ]);
  return { bundle: placeImages(bundle, placements, library), undo };
}

const looks = ({ crop, focus }: { readonly crop?: unknown; readonly focus?: unknown }): string =>
  JSON.stringify([ordered(crop), ordered(focus)]);
const ordered = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : null;

/** The image of the library with the same bytes and cut alike: of the same path, if there are several. */
async function findHeld(
  held: readonly HeldImage[],
  path: string,
  facts: ImageFacts,
  content: Prepared,
  target: ImageTarget,
): Promise<HeldImage | undefined> {
  const wanted = looks(facts);
  const same: HeldImage[] = [];
  for (const image of held) {
    // Pictures for everybody take the place of pictures for everybody alone: an own picture stays one's own.
    if (image.shelf === 'stock' && facts.shelf !== 'stock') continue;
    if (looks(image) !== wanted) continue;
    if (image.hash === content.hash) same.push(image);
    // A file that was converted has the hash of what was given, not of what is kept.
    else if (image.bytes === content.blob.size && (await target.keptHash(image)) === content.hash) {
      same.push(image);
    }
  }
  const rank = (image: HeldImage) => (image.shelf === facts.shelf ? 0 : 2) + (image.path === path ? 0 : 1);
  return same.sort((a, b) => rank(a) - rank(b))[0];
}
