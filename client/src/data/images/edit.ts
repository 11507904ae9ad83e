import { deleteField, serverTimestamp, type WriteBatch, writeBatch } from '@sdk/firestore';
import { deleteObject, ref } from '@sdk/storage';
import type { CropShare, FocusPoint } from '../../core/images/library.ts';
import { cleanPath, folderOf, freePath, isBelow, joinPath, nameOf } from '../../core/images/path.ts';
import { getDb } from '../server/database.ts';
import { fileStore } from '../server/files.ts';
import { locationOf } from './library-location.ts';
import type { StoredImage } from './library-store.ts';
import { MAX_FORMER_PATHS } from './schema.ts';

/** Documents in one commit: the server takes five hundred. */
const MAX_BATCH = 400;

/** A name that cannot be given; the message says why. */
export class BadName extends Error {
  override readonly name = 'BadName';
}

async function inBatches<T>(items: readonly T[], write: (batch: WriteBatch, item: T) => void): Promise<void> {
  for (let from = 0; from < items.length; from += MAX_BATCH) {
    const batch = writeBatch(getDb());
    for (const item of items.slice(from, from + MAX_BATCH)) write(batch, item);
    await batch.commit();
  }
}

export interface Move {
  readonly image: StoredImage;
  readonly path: string;
}

/** Gives images other paths. What names them by id goes on; sheets that name them by path find them too. */
export function moveImages(moves: readonly Move[]): Promise<void> {
  const real = moves.filter(({ image, path }) => path !== image.path);
  return inBatches(real, (batch, { image, path }) => {
    const former = [image.path, ...image.former.filter((old) => old !== image.path && old !== path)];
    batch.update(locationOf(image.place).image(image.id), {
      path,
      former: former.slice(0, MAX_FORMER_PATHS),
      updatedAt: serverTimestamp(),
    });
  });
}

/**
 * Renames one image within its folder.
 * @throws BadName when the name is empty or another image's
 */
export async function renameImage(
  image: StoredImage,
  name: string,
  all: readonly StoredImage[],
): Promise<void> {
  const path = joinPath(folderOf(image.path), cleanPath(name.replaceAll('/', ' ')));
  if (nameOf(path) === '') throw new BadName('An image needs a name.');
  if (all.some((other) => other.id !== image.id && other.path.toLowerCase() === path.toLowerCase()))
    throw new BadName(`There is an image “${nameOf(path)}” in this folder already.`);
  await moveImages([{ image, path }]);
}

/** The moves that bring images into a folder; equal names get a number. */
export function movesInto(
  folder: string,
  images: readonly StoredImage[],
  all: readonly StoredImage[],
): readonly Move[] {
  const moving = new Set(images.map(({ id }) => id));
  const taken = new Set(all.filter(({ id }) => !moving.has(id)).map(({ path }) => path.toLowerCase()));
  return images.map((image) => {
    const path = freePath(joinPath(cleanPath(folder), nameOf(image.path)), (name) =>
      taken.has(name.toLowerCase()),
    );
    taken.add(path.toLowerCase());
    return { image, path };
  });
}

/** The moves that rename a folder with all that is below it. */
export function folderMoves(from: string, to: string, all: readonly StoredImage[]): readonly Move[] {
  const below = all.filter(({ path }) => isBelow(path, from));
  const moving = new Set(below.map(({ id }) => id));
  const taken = new Set(all.filter(({ id }) => !moving.has(id)).map(({ path }) => path.toLowerCase()));
  return below.map((image) => {
    const wanted = joinPath(cleanPath(to), image.path.slice(from.length + 1));
    const path = freePath(wanted, (name) => taken.has(name.toLowerCase()));
    taken.add(path.toLowerCase());
    return { image, path };
  });
}

/** Editable fields of an image beside its path and file. `null` removes a field. */
export interface ImageChange {
  readonly tags?: readonly string[];
  readonly licence?: string;
  readonly credit?: string;
  readonly focus?: FocusPoint | null;
  readonly crop?: CropShare | null;
}

/** Changes what is said about images. */
export function changeImages(
  images: readonly StoredImage[],
  change: ImageChange | ((image: StoredImage) => ImageChange),
): Promise<void> {
  return inBatches(images, (batch, image) => {
    const fields = typeof change === 'function' ? change(image) : change;
    const wire = Object.entries(fields).map(([key, value]) => [key, value === null ? deleteField() : value]);
    batch.update(locationOf(image.place).image(image.id), {
      ...Object.fromEntries(wire),
      updatedAt: serverTimestamp(),
    });
  });
}

/** Deletes images, and the files that no other image of the library shares. */
export async function deleteImages(
  images: readonly StoredImage[],
  all: readonly StoredImage[],
): Promise<void> {
  await inBatches(images, (batch, image) => batch.delete(locationOf(image.place).image(image.id)));
  const gone = new Set(images.map(({ id }) => id));
  const shared = new Set(all.filter(({ id }) => !gone.has(id)).map(({ file }) => file));
  const files = new Set(images.map(({ file }) => file).filter((file) => !shared.has(file)));
  // The images are gone already; a file that stays behind costs room and harms nobody.
  await Promise.allSettled([...files].map((file) => deleteObject(ref(fileStore(), file))));
}
