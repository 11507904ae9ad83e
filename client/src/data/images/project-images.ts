import { getDoc, getDocs, serverTimestamp, writeBatch } from '@sdk/firestore';
import { ImageLibrary, type LibraryImage } from '../../core/images/library.ts';
import { projectSchema } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { copyImages } from './copies.ts';
import { imagesOfProject } from './credits.ts';
import { type ImagePlace, imagesOf, locationOf } from './library-location.ts';
import { libraryStore, readLibraries, type StoredImage, toLibraryImage } from './library-store.ts';
import { withOwnChanges } from './noted-changes.ts';
import type { OwnChanges } from './own-changes.ts';
import { type NamingPlace, type ProjectTexts, placesNaming, readTexts } from './places.ts';
import { imageSchema, MAX_FORMER_PATHS } from './schema.ts';
import { imagesSeen, ofProject, type Seen } from './seen.ts';
import { setSharedImages } from './shared-images.ts';

/** The images of a place, as they are now. Those of an unknown shape are left out. */
export async function readImagesAt(place: ImagePlace): Promise<StoredImage[]> {
  const { kind, images } = locationOf(place);
  return (await getDocs(images())).docs.flatMap((doc) => {
    const read = imageSchema.safeParse(doc.data());
    return read.success ? [{ ...read.data, id: doc.id, shelf: kind, place }] : [];
  });
}

/** A project's own images, as they are now. */
export const readProjectImages = (project: Pick<Project, 'id'>): Promise<StoredImage[]> =>
  readImagesAt(imagesOf(project));

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
 * Copies images of the user's own library into a project, so that all its members see them whatever becomes of the library.
 * @throws FirebaseError when a limit of the plan is reached; what was copied by then stays
 */
async function adopt(
  project: Project,
  originals: readonly StoredImage[],
  own: readonly StoredImage[],
): Promise<void> {
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

/** The images of the user's own library that a project shows and has not. */
export async function imagesLacking(project: Project): Promise<readonly StoredImage[]> {
  const libraries = await readLibraries();
  const own = await readProjectImages(project);
  // Cards are read only if there is something that they may show.
  if (lacking(libraries, own, libraries).length === 0) return [];
  const { images } = await imagesOfProject(project, new ImageLibrary(imagesSeen(own, libraries)), 'all');
  return lacking(images, own, libraries);
}

/** Copies into a project all that it shows of the user's own library: for those who say so, and may change the project. */
export async function adoptShown(project: Project): Promise<void> {
  await adopt(project, await imagesLacking(project), await readProjectImages(project));
}

/**
 * Copies into a project that nobody else has worked on all that it shows of its owner's library: all names on its cards are
 * the owner's. Afterwards each change takes along what it shows.
 */
export async function adoptBeforeSharing(project: Project): Promise<void> {
  const details = projectSchema.safeParse((await getDoc(project.details)).data());
  const alone = details.success && !details.data.shared && Object.keys(details.data.members).length <= 1;
  if (alone) await adoptShown(project);
}

/**
 * Copies into a project what it shows of the user's own library because of the user's own changes. What somebody else named
 * is not among it, nor what was taken out of the project while cards went on naming it.
 */
export function adoptNewlyShown(project: Project): Promise<void> {
  return withOwnChanges(project.id, (changes) => adoptShownBy(project, changes));
}

async function adoptShownBy(project: Project, changes: OwnChanges): Promise<void> {
  const libraries = await readLibraries();
  if (!libraries.some(({ shelf }) => shelf === 'image')) return;
  const own = await readProjectImages(project);
  if (lacking(libraries, own, libraries).length === 0) return;
  const library = new ImageLibrary(imagesSeen(own, libraries));
  const sources = await newlyNamed(
    await readTexts(project, (component) => changes.concerns(component)),
    changes,
  );
  const shown = new Map<string, LibraryImage>();
  for (const source of sources) {
    const image = library.find(source);
    if (image) shown.set(`${image.shelf}:${image.id}`, image);
  }
  await adopt(project, lacking([...shown.values()], own, libraries), own);
}

/** The images that places name now and did not without the changes. */
export async function newlyNamed(texts: ProjectTexts, changes: OwnChanges): Promise<Set<string>> {
  const keyOf = (place: NamingPlace) =>
    'card' in place ? `${place.component.id}/${place.card.id}` : 'layout' in place ? place.layout.id : '';
  const whole = new Set(
    texts.components.filter((component) => changes.concernsAll(component)).map(({ id }) => id),
  );
  const changed = (id: string, card?: string) => whole.has(id) || changes.isOf(id, card);
  const before = new Map<string, ReadonlySet<string>>();
  for await (const place of placesNaming(changes.takenFrom(texts), changed))
    before.set(keyOf(place), place.sources);
  const found = new Set<string>();
  for await (const place of placesNaming(texts, changed)) {
    const known = before.get(keyOf(place));
    for (const source of place.sources) if (!known?.has(source)) found.add(source);
  }
  return found;
}

/** Documents of one commit, at most; more follow with the next change. */
const MAX_RENAMED = 250;
