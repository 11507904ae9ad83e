import { getDocs, query, where } from '@sdk/firestore';
import { getMetadata, ref } from '@sdk/storage';
import { edits, roleOf } from '../project/members.ts';
import { openProject } from '../project/open-project.ts';
import type { ListedProject } from '../project/queries.ts';
import { fileStore } from '../server/files.ts';
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
 * True if a copy has another content than its original. Copies of an upgrade know the hash of the stored file instead of the
 * given one, so where the hashes differ the server's checksums of the files decide.
 */
async function isOutdated(original: StoredImage, copy: Pick<StoredImage, 'from' | 'file'>): Promise<boolean> {
  if (original.hash === '' || copy.from?.hash === original.hash) return false;
  const [mine, theirs] = await Promise.all([original, copy].map(({ file }) => checksum(file)));
  return mine !== undefined && mine !== theirs;
}

/** `undefined` for a file that is gone: there is nothing to give a copy. */
const checksum = (file: string): Promise<string | undefined> =>
  getMetadata(ref(fileStore(), file)).then(
    ({ md5Hash }) => md5Hash,
    () => undefined,
  );

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
        const place = imagesOf(project);
        const outdated: OutdatedCopy[] = [];
        for (const document of (await getDocs(query(images, where('from.path', '==', path)))).docs) {
          const read = imageSchema.safeParse(document.data());
          if (!read.success || !(await isOutdated(image, read.data))) continue;
          outdated.push({ project, copy: { ...read.data, id: document.id, shelf: 'image', place } });
        }
        return outdated;
      }),
  );
  return found.flat();
}

/** Gives a project's copy the content that the image of the user's library has now. */
export async function updateImageCopy(image: StoredImage, { project }: OutdatedCopy): Promise<void> {
  await copyImages('image', imagesOf(project), [image.id], true);
}
