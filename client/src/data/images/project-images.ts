import { getDocs, onSnapshot, writeBatch } from '@sdk/firestore';
import * as z from 'zod';
import { stableJson } from '../../core/archive/stable-json.ts';
import { ImageLibrary } from '../../core/images/library.ts';
import type { WithId } from '../documents.ts';
import { toJson } from '../project/json.ts';
import type { Project } from '../project/open-project.ts';
import { sessionUser } from '../session.ts';
import { imagesOfProject } from './credits.ts';
import { readLibraries, type StoredImage } from './library-store.ts';
import { sharedImageSchema } from './schema.ts';
import { setSharedImages } from './shared-images.ts';

/** Documents of one commit, at most. */
const MAX_BATCH = 250;

/**
 * A picture of somebody's own library that a project shows, as its members know it:
 * `projects/{projectId}/pictures/{imageId}`. Its address opens the file for whoever has it, so members
 * need no right in the library.
 */
export const projectImageSchema = sharedImageSchema.extend({
  /** In whose library it is. */
  by: z.string().catch(''),
});
export type ProjectImage = z.infer<typeof projectImageSchema>;

/** Writes that let a project's members see the images it shows. */
export interface ShareChanges {
  readonly set: readonly WithId<ProjectImage>[];
  readonly remove: readonly string[];
}

/**
 * Compares the pictures of a user's library that a project shows with what is lent to it.
 * @param used images of the user's own library
 * @param uid the user: what others lend is left alone
 */
export function shareChanges(
  used: readonly StoredImage[],
  shared: readonly WithId<ProjectImage>[],
  uid: string,
): ShareChanges {
  const before = new Map(shared.map((one) => [one.id, one]));
  const wanted = used.map((image) => ({ ...projectImageSchema.parse({ ...image, by: uid }), id: image.id }));
  const ids = new Set(wanted.map(({ id }) => id));
  return {
    set: wanted.filter((one) => {
      const old = before.get(one.id);
      return !old || stableJson(toJson(old)) !== stableJson(toJson(one));
    }),
    remove: shared.filter(({ by, id }) => by === uid && !ids.has(id)).map(({ id }) => id),
  };
}

/**
 * A lent picture as an image of a library. In somebody else's project names mean its pictures first; in
 * one's own, one's own images first.
 */
export function asSharedImage(image: WithId<ProjectImage>, project: Pick<Project, 'mine'>) {
  return { ...image, shelf: 'image' as const, rank: project.mine ? 1 : -1 };
}

/** The lent pictures that are not in the user's own library, as images of a library. */
export function notInLibrary(
  shared: readonly WithId<ProjectImage>[],
  libraryImages: readonly StoredImage[],
  project: Pick<Project, 'mine'>,
) {
  const own = new Set(libraryImages.flatMap(({ shelf, id }) => (shelf === 'image' ? [id] : [])));
  return shared.filter(({ id }) => !own.has(id)).map((one) => asSharedImage(one, project));
}

const readAll = (docs: readonly { readonly id: string; data(): unknown }[]): WithId<ProjectImage>[] =>
  docs.flatMap((doc) => {
    const read = projectImageSchema.safeParse(doc.data());
    return read.success ? [{ ...read.data, id: doc.id }] : [];
  });

/** The pictures lent to a project. */
export async function readProjectImages(project: Project): Promise<WithId<ProjectImage>[]> {
  return readAll((await getDocs(project.images)).docs);
}

/** Lets painters have the pictures lent to a project until the answer is called. */
export function followProjectImages(project: Project): () => void {
  const owner = `project ${project.owner}/${project.id}`;
  const stop = onSnapshot(
    project.images,
    ({ docs }) =>
      setSharedImages(
        owner,
        readAll(docs).map((one) => asSharedImage(one, project)),
      ),
    // Its cards show their names instead.
    () => setSharedImages(owner, []),
  );
  return () => {
    stop();
    setSharedImages(owner, []);
  };
}

/**
 * Lends a project the pictures of the user's own library that its cards and layouts show, as they are now,
 * and takes back those they show no more.
 */
export async function shareImages(project: Project): Promise<void> {
  const uid = sessionUser()?.uid;
  if (uid === undefined) return;
  const [libraryImages, shared] = await Promise.all([readLibraries(), readProjectImages(project)]);
  const mine = new Map(
    libraryImages.filter(({ shelf }) => shelf === 'image').map((image) => [image.id, image]),
  );
  const others = shared.filter(({ by }) => by !== uid);
  const library = new ImageLibrary([...libraryImages, ...notInLibrary(others, libraryImages, project)]);
  const { images } = await imagesOfProject(project, library);
  const used = images.flatMap(({ shelf, id }) => (shelf === 'image' ? (mine.get(id) ?? []) : []));
  const { set, remove } = shareChanges(used, shared, uid);
  const writes = [
    ...set.map(({ id, ...data }) => ({ id, data })),
    ...remove.map((id) => ({ id, data: null })),
  ];
  for (let from = 0; from < writes.length; from += MAX_BATCH) {
    const batch = writeBatch(project.db);
    for (const { id, data } of writes.slice(from, from + MAX_BATCH)) {
      if (data) batch.set(project.image(id), toJson(data));
      else batch.delete(project.image(id));
    }
    await batch.commit();
  }
}
