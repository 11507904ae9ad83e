import { ImageLibrary, type LibraryImage, referenceTo } from '../../../core/images/library.ts';
import { renameInScene } from '../../../core/images/sources.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import { copyImages } from '../../images/copies.ts';
import { asShared, type LayoutImage } from '../../images/layout-images.ts';
import type { LayoutName } from '../layout-address.ts';
import { openLibrary } from '../open-project.ts';
import { copyLayout } from '../project-contents.ts';

/**
 * A layout that names copies of the images that it shows.
 * @param copies ids of the copies by those of the originals; other images keep their names
 */
export function withCopies(
  scene: Layout,
  images: readonly LibraryImage[],
  copies: ReadonlyMap<string, string>,
): Layout {
  const library = new ImageLibrary(images);
  return renameInScene(scene, (source) => {
    const image = library.find(source);
    const id = image?.shelf === 'image' ? copies.get(image.id) : undefined;
    return image && id !== undefined ? referenceTo({ ...image, id }) : undefined;
  });
}

/**
 * Makes a layout of the user's own library from a shared one. The server copies its images and fonts.
 * @param images those that it shows
 * @param owner account whose library it lies in, where its name has no project
 * @returns its id, and the paths of images whose files are gone: the copy shows their names
 */
export async function copySharedLayout(
  scene: Layout,
  images: readonly LayoutImage[],
  owner: string,
  { project, id: layout }: LayoutName,
): Promise<{ readonly id: string; readonly gone: readonly string[] }> {
  const source = project === undefined ? { owner, layout } : { project, layout };
  // The images of one's own library are there already.
  const wanted = project === undefined && owner === openLibrary().owner ? [] : images;
  const ids = wanted.map(({ id }) => id);
  const copies = await copyImages(source, 'image', ids);
  const copy = withCopies(scene, images.map(asShared), copies);
  const gone = wanted.filter(({ id }) => !copies.has(id)).map(({ path }) => path);
  return { id: await copyLayout(copy, undefined, source), gone };
}
