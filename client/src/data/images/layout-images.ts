import { updateDoc } from '@sdk/firestore';
import type * as z from 'zod';
import { stableJson } from '../../core/archive/stable-json.ts';
import { ImageLibrary } from '../../core/images/library.ts';
import { sourcesInScene } from '../../core/images/sources.ts';
import type { Layout } from '../../core/scene/layout.ts';
import type { WithId } from '../documents.ts';
import { toJson } from '../project/json.ts';
import { openLibrary } from '../project/open-project.ts';
import { readLibraries, type StoredImage } from './library-store.ts';
import { sharedImageSchema } from './schema.ts';
import { setSharedImages } from './shared-images.ts';

/** Most pictures that a layout shared by its link carries; further ones are shown by their names. */
const MAX_IMAGES = 100;

/** A picture that a layout carries. */
export type LayoutImage = WithId<z.infer<typeof sharedImageSchema>>;

/**
 * The pictures of somebody's own library that a layout shows, as its document carries them.
 * @param images the whole library: the user's own and the stock
 */
export function imagesOfScene(scene: Layout, images: readonly StoredImage[]): LayoutImage[] {
  const library = new ImageLibrary(images);
  const own = new Map(images.flatMap((image) => (image.shelf === 'image' ? [[image.id, image]] : [])));
  const found = new Map<string, LayoutImage>();
  for (const source of sourcesInScene(scene)) {
    const image = library.find(source);
    const mine = image?.shelf === 'image' ? own.get(image.id) : undefined;
    if (mine && found.size < MAX_IMAGES) {
      found.set(mine.id, { ...sharedImageSchema.parse(mine), id: mine.id });
    }
  }
  return [...found.values()].sort((a, b) => a.id.localeCompare(b.id));
}

const currentImages = async (scene: Layout): Promise<LayoutImage[]> =>
  imagesOfScene(scene, await readLibraries());

/** Lets everybody who has the link look at a layout of one's own, its pictures too. */
export async function openByLink(layout: string, scene: Layout): Promise<void> {
  const images = await currentImages(scene);
  await updateDoc(openLibrary().layout(layout), { shared: true, pictures: images.map(toJson) });
}

/** Lets nobody look at a layout any more. */
export async function closeLink(layout: string): Promise<void> {
  await updateDoc(openLibrary().layout(layout), { shared: false, pictures: [] });
}

/** After a change of a layout that is shared by its link: gives it the pictures that it shows now. */
export async function refreshSharedImages(
  layout: string,
  scene: Layout,
  carried: readonly LayoutImage[],
): Promise<void> {
  const images = await currentImages(scene);
  if (stableJson(images.map(toJson)) === stableJson(carried.map(toJson))) return;
  await updateDoc(openLibrary().layout(layout), { pictures: images.map(toJson) });
}

/** Names of a shared layout mean its owner's pictures before one's own. */
export const asCarried = (image: LayoutImage) => ({ ...image, shelf: 'image' as const, rank: -1 });

/** Lets painters have the pictures that somebody else's layout carries until the answer is called. */
export function showCarried(images: readonly LayoutImage[]): () => void {
  setSharedImages('layout', images.map(asCarried));
  return () => setSharedImages('layout', []);
}
