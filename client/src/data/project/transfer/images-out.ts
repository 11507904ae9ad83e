import type { ImageEntry, ProjectBundle } from '../../../core/archive/bundle.ts';
import {
  type ImageFacts,
  imagesOf,
  nameImages,
  type OutgoingImage,
  writeFacts,
} from '../../../core/archive/images.ts';
import { MAX_ARCHIVE_BYTES, MAX_FILES } from '../../../core/archive/limits.ts';
import { ImageLibrary, type LibraryImage } from '../../../core/images/library.ts';
import type { ProjectWork } from './read-project.ts';

/** Pictures fetched at once. */
const PARALLEL_FETCHES = 4;
/** Room in an archive for what is not a picture: files, and bytes. */
const OTHER_FILES = 1_000;
const OTHER_BYTES = 16 * 1024 * 1024;

/** An image as its library knows it. */
export interface KnownImage extends LibraryImage {
  /** Length of its file, in bytes; 0 when nobody knows. */
  readonly bytes: number;
  readonly tags: readonly string[];
  readonly licence: string;
  readonly credit: string;
  readonly icon?: ImageFacts['icon'];
}

/** Library operations needed to export images. */
export interface ImageSource {
  /** Every image that the project may name. */
  images(): Promise<readonly KnownImage[]>;
  /** An image's file. Rejects when it cannot be had. */
  read(image: LibraryImage, signal: AbortSignal | undefined): Promise<Uint8Array<ArrayBuffer>>;
  hash(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
}

const factsOf = (image: KnownImage): ImageFacts => ({
  shelf: image.shelf,
  former: [...image.former],
  tags: [...image.tags],
  licence: image.licence,
  credit: image.credit,
  focus: image.focus,
  crop: image.crop,
  icon: image.icon,
});

/**
 * A project together with the pictures it shows, which it then calls by their names in an archive.
 * @throws Error naming the picture that cannot be read, or the limit that is passed
 */
export async function withImages(
  bundle: ProjectBundle,
  source: ImageSource,
  { signal, onProgress }: ProjectWork = {},
): Promise<ProjectBundle> {
  const known = await source.images();
  signal?.throwIfAborted();
  const library = new ImageLibrary(known);
  const details = new Map(known.map((image) => [`${image.shelf}:${image.id}`, image]));
  const used = imagesOf(bundle, library).flatMap(({ shelf, id }) => details.get(`${shelf}:${id}`) ?? []);
  checkRoom(used);
  const pictures: (OutgoingImage & { readonly bytes: Uint8Array<ArrayBuffer> })[] = [];
  await inParallel(used, PARALLEL_FETCHES, async (image, place) => {
    signal?.throwIfAborted();
    const bytes = await source.read(image, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(
        `The picture “${image.path}” cannot be read: ${why} Upload it again, or take it off the cards that show it.`,
      );
    });
    pictures[place] = { image, bytes, hash: await source.hash(bytes), facts: factsOf(image) };
    onProgress?.({ done: pictures.filter(Boolean).length, total: used.length, what: 'Reading pictures' });
  });
  const named = nameImages(bundle, library, pictures);
  const images = new Map<string, ImageEntry>();
  for (const [i, { bytes }] of pictures.entries()) {
    const [path, facts] = [named.names[i], named.facts[i]];
    if (path && facts && !images.has(path)) images.set(path, { path, bytes, facts: writeFacts(facts) });
  }
  return { ...named.bundle, images: [...images.values()] };
}

function checkRoom(used: readonly KnownImage[]): void {
  const bytes = used.reduce((sum, image) => sum + image.bytes, 0);
  if (bytes > MAX_ARCHIVE_BYTES - OTHER_BYTES) {
    const [has, most] = [bytes, MAX_ARCHIVE_BYTES - OTHER_BYTES].map((size) => Math.ceil(size / 1024 / 1024));
    throw new Error(
      `The pictures of this project have ${has} MB; an archive holds ${most} MB. Upload the largest ones smaller.`,
    );
  }
  if (used.length > MAX_FILES - OTHER_FILES) {
    throw new Error(
      `This project shows ${used.length} pictures; an archive holds ${MAX_FILES - OTHER_FILES}. Split the project.`,
    );
  }
}

/** Does something for every item, so many at once; the first failure ends it. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  run: (item: T, place: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const worker = async () => {
    while (next < items.length && !failed) {
      const place = next++;
      try {
        await run(items[place] as T, place);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  const fault = ended.find((one) => one.status === 'rejected');
  if (fault) throw fault.reason;
}
