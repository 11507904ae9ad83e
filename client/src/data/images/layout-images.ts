import { type DocumentReference, updateDoc } from '@sdk/firestore';
import type * as z from 'zod';
import { stableJson } from '../../core/archive/stable-json.ts';
import { ImageLibrary, type LibraryImage } from '../../core/images/library.ts';
import { sourcesInScene } from '../../core/images/sources.ts';
import type { Layout } from '../../core/scene/layout.ts';
import type { WithId } from '../documents.ts';
import { toJson } from '../project/json.ts';
import type { Project } from '../project/open-project.ts';
import { readLibraries } from './library-store.ts';
import { readImagesSeen } from './project-images.ts';
import { sharedImageSchema } from './schema.ts';
import { setSharedImages } from './shared-images.ts';

/** Most pictures that a layout shared by its link carries; further ones are shown by their names. */
const MAX_IMAGES = 100;

/** A picture that a layout carries. */
export type LayoutImage = WithId<z.infer<typeof sharedImageSchema>>;

/**
 * The pictures of people that a layout shows, as its document carries them.
 * @param images all that the layout may name: of libraries, and of its project
 */
export function imagesOfScene(
  scene: Layout,
  images: readonly (LibraryImage & Partial<LayoutImage>)[],
): LayoutImage[] {
  const library = new ImageLibrary(images);
  const ofPeople = new Map(images.flatMap((image) => (image.shelf === 'image' ? [[image.id, image]] : [])));
  const found = new Map<string, LayoutImage>();
  for (const source of sourcesInScene(scene)) {
    const image = library.find(source);
    const theirs = image?.shelf === 'image' ? ofPeople.get(image.id) : undefined;
    if (theirs && found.size < MAX_IMAGES) {
      found.set(theirs.id, { ...sharedImageSchema.parse(theirs), id: theirs.id });
    }
  }
  return [...found.values()].sort((a, b) => a.id.localeCompare(b.id));
}

/**
 * The pictures of people that a layout shows now.
 * @param project that the layout is of, if any
 * @param carried pictures that the layout carries already, wherever they are of
 */
export async function imagesShownBy(
  scene: Layout,
  project: Project | undefined,
  carried: readonly LayoutImage[] = [],
): Promise<LayoutImage[]> {
  const seen = project ? await readImagesSeen(project) : await readLibraries();
  const known = new Set(seen.map(({ id }) => id));
  const others = carried.filter(({ id }) => !known.has(id)).map(asCarried);
  return imagesOfScene(scene, [...seen, ...others]);
}

/** Lets everybody who has the link look at a layout, its pictures too. */
export async function openByLink(
  layout: DocumentReference,
  scene: Layout,
  project: Project | undefined,
): Promise<void> {
  const images = await imagesShownBy(scene, project);
  await updateDoc(layout, { shared: true, pictures: images.map(toJson) });
}

/** Lets nobody look at a layout by its link any more. */
export async function closeLink(layout: DocumentReference): Promise<void> {
  await updateDoc(layout, { shared: false, pictures: [] });
}

/** After a change of a layout that is shared by its link: gives it the pictures that it shows now. */
export async function refreshSharedImages(
  layout: DocumentReference,
  scene: Layout,
  carried: readonly LayoutImage[],
  project: Project | undefined,
): Promise<void> {
  const images = await imagesShownBy(scene, project, carried);
  if (stableJson(images.map(toJson)) === stableJson(carried.map(toJson))) return;
  await updateDoc(layout, { pictures: images.map(toJson) });
}

/** Names of a shared layout mean its owner's pictures before one's own. */
export const asCarried = (image: LayoutImage) => ({ ...image, shelf: 'image' as const, rank: -1 });

/** Lets painters have the pictures that somebody else's layout carries until the answer is called. */
export function showCarried(images: readonly LayoutImage[]): () => void {
  setSharedImages('layout', images.map(asCarried));
  return () => setSharedImages('layout', []);
}
