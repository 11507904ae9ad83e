import { getDocs, query, where } from '@sdk/firestore';
import { edits, roleOf } from '../members.ts';
import { openProject } from '../project/open-project.ts';
import type { ListedProject } from '../queries.ts';
import { copyImages } from './copies.ts';
import { imagesOf, USER_LIBRARY } from './library-location.ts';
import type { StoredImage } from './library-store.ts';
import { imageSchema } from './schema.ts';

/** A project's copy of an image that has another content since. */
export interface OutdatedCopy {
  readonly project: ListedProject;
  readonly copy: StoredImage;
}

/**
 * True if a copy has not the content of its original. Copies of an upgrade know the hash of the stored file, not of the given
 * one, so what has the same size in bytes and pixels counts as the same.
 */
export const isOutdated = (
  original: Pick<StoredImage, 'hash' | 'bytes' | 'w' | 'h'>,
  { from, bytes, w, h }: Pick<StoredImage, 'from' | 'bytes' | 'w' | 'h'>,
): boolean =>
  original.hash !== '' &&
  from?.hash !== original.hash &&
  (bytes !== original.bytes || w !== original.w || h !== original.h);

/** The copies of an image of the user's library that have another content than it has now, in projects that `uid` may change. */
export async function findOutdated(
  image: StoredImage,
  projects: readonly ListedProject[],
  uid: string,
): Promise<OutdatedCopy[]> {
  const path = USER_LIBRARY.image(image.id).path;
  const found = await Promise.all(
    projects
      .filter((project) => project.trashedAt === 0 && edits(roleOf(project, uid)))
      .map(async (project) => {
        const { images } = openProject(project);
        return (await getDocs(query(images, where('from.path', '==', path)))).docs.flatMap((document) => {
          const read = imageSchema.safeParse(document.data());
          if (!read.success || !isOutdated(image, read.data)) return [];
          const place = imagesOf(project);
          return [{ project, copy: { ...read.data, id: document.id, shelf: 'image' as const, place } }];
        });
      }),
  );
  return found.flat();
}

/** Gives a project's copy the content that the image of the user's library has now. */
export async function updateImageCopy(image: StoredImage, { project }: OutdatedCopy): Promise<void> {
  await copyImages('image', imagesOf(project), [image.id], true);
}
