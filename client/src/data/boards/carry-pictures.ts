import type { Layout } from '../../core/scene/layout.ts';
import { imagesOf } from '../images/library-location.ts';
import { uploads } from '../images/upload/uploads.ts';
import type { Project } from '../project/open-project.ts';
import { listDrafts } from './drafts.ts';
import { deletePicture, listPictures, type Picture, picturesOf, withImages } from './pictures.ts';

/** A board that shows images of a project in place of pictures of this browser. */
interface Carried {
  readonly scene: Layout;
  /** The pictures that it showed. */
  readonly pictures: readonly Picture[];
}

/**
 * Stores the pictures of this browser that a board shows as images of a project. What the project has already is not
 * stored again, so that a second try goes on where the first one failed.
 * @throws Error naming the picture that could not be stored
 */
export async function carryPictures(project: Project, scene: Layout): Promise<Carried> {
  const pictures = picturesOf(scene, await listPictures());
  if (pictures.length === 0) return { scene, pictures };
  const queue = uploads();
  const files = pictures.map(({ path, blob }) => ({ path, blob }));
  const ids = await queue.add(imagesOf(project), files);
  // Somebody waits for these: they do not stay behind what was paused.
  queue.resume();
  const over = await Promise.all(ids.map((id) => queue.over(id)));
  const images = new Map<string, string>();
  for (const [at, { id: picture, path }] of pictures.entries()) {
    const { image, message } = over[at] ?? {};
    if (image === undefined) throw new Error(`${path} could not be stored. ${message ?? ''}`.trim());
    images.set(picture, image);
  }
  return { scene: withImages(scene, pictures, images), pictures };
}

/** Deletes those of some pictures that no board of this browser shows any more. */
export async function dropUnused(pictures: readonly Picture[]): Promise<void> {
  const drafts = await listDrafts();
  const used = new Set(drafts.flatMap(({ scene }) => picturesOf(scene, pictures)));
  for (const picture of pictures) if (!used.has(picture)) await deletePicture(picture.id);
}
