import { getDocs, serverTimestamp, writeBatch } from '@sdk/firestore';
import { ImageLibrary, type LibraryImage } from '../../core/images/library.ts';
import type { Project } from '../project/open-project.ts';
import { copyImages } from './copies.ts';
import { imagesOfProject } from './credits.ts';
import { imagesOf } from './library-location.ts';
import { libraryStore, readLibraries, type StoredImage, toLibraryImage } from './library-store.ts';
import { imageSchema, MAX_FORMER_PATHS } from './schema.ts';
import { imagesSeen, ofProject, type Seen } from './seen.ts';
import { setSharedImages } from './shared-images.ts';

/** A project's own images, as they are now. Those of an unknown shape are left out. */
export async function readProjectImages(project: Project): Promise<StoredImage[]> {
  const place = imagesOf(project);
  return (await getDocs(project.images)).docs.flatMap((doc) => {
    const read = imageSchema.safeParse(doc.data());
    return read.success ? [{ ...read.data, id: doc.id, shelf: 'image' as const, place }] : [];
  });
}

/** All images that a project may show to the user. */
export async function readImagesSeen(project: Project): Promise<readonly Seen<StoredImage>[]> {
  const [own, libraries] = await Promise.all([readProjectImages(project), readLibraries()]);
  return imagesSeen(own, libraries);
}

/** Lets painters have a project's images until the answer is called. */
export function followProjectImages(project: Project): () => void {
  const owner = `project ${project.id}`;
  const store = libraryStore(imagesOf(project));
  // Cards show names instead of images that cannot be read.
  const publish = () => setSharedImages(owner, store.snapshot().images.map(toLibraryImage).map(ofProject));
  const stop = store.subscribe(publish);
  publish();
  return () => {
    stop();
    setSharedImages(owner, []);
  };
}

/**
 * The images of the user's library among those that a project shows.
 * @param shown what its cards and layouts show, found among all that {@link imagesSeen} answers
 */
export function lacking(
  shown: readonly LibraryImage[],
  own: readonly StoredImage[],
  libraries: readonly StoredImage[],
): readonly StoredImage[] {
  const ids = new Set(own.map(({ id }) => id));
  const mine = new Map(libraries.flatMap((image) => (image.shelf === 'image' ? [[image.id, image]] : [])));
  return shown.flatMap(({ shelf, id }) => {
    const image = shelf === 'image' && !ids.has(id) ? mine.get(id) : undefined;
    return image ? [image] : [];
  });
}

/** A former name that a project's image gets, so that what means its original means it. */
export interface Renaming {
  readonly id: string;
  readonly former: readonly string[];
}

/**
 * Copies that were made before have the names of that time. The original may have been renamed since, and cards name it as
 * it is called now.
 */
export function renamings(
  originals: readonly StoredImage[],
  own: readonly StoredImage[],
  copies: ReadonlyMap<string, string>,
): readonly Renaming[] {
  const known = new Map(own.map((image) => [image.id, image]));
  return originals.flatMap((original) => {
    const copy = known.get(copies.get(original.id) ?? '');
    if (!copy) return [];
    const names = new Set([copy.path, ...copy.former]);
    const missing = [original.path, ...original.former].filter((path) => !names.has(path));
    return missing.length === 0
      ? []
      : [{ id: copy.id, former: [...missing, ...copy.former].slice(0, MAX_FORMER_PATHS) }];
  });
}

/**
 * Copies into a project what it shows of the user's own library, so that all its members see it whatever becomes of the
 * library. For people who may change the project.
 * @throws FirebaseError when a limit of the plan is reached; what was copied by then stays
 */
export async function adoptImages(project: Project): Promise<void> {
  const libraries = await readLibraries();
  if (!libraries.some(({ shelf }) => shelf === 'image')) return;
  const own = await readProjectImages(project);
  // Cards are read only if there is something that they may show.
  if (lacking(libraries, own, libraries).length === 0) return;
  const library = new ImageLibrary(imagesSeen(own, libraries));
  const { images } = await imagesOfProject(project, library, 'all');
  const originals = lacking(images, own, libraries);
  if (originals.length === 0) return;
  const copies = await copyImages(
    'image',
    imagesOf(project),
    originals.map(({ id }) => id),
  );
  const renamed = renamings(originals, own, copies);
  if (renamed.length === 0) return;
  const batch = writeBatch(project.db);
  for (const { id, former } of renamed.slice(0, MAX_RENAMED)) {
    batch.update(project.image(id), { former: [...former], updatedAt: serverTimestamp() });
  }
  await batch.commit();
}

/** Documents of one commit, at most; more follow with the next change. */
const MAX_RENAMED = 250;
