import { ImageLibrary, type LibraryImage, referenceTo } from '../../../core/images/library.ts';
import { renameInScene, sourcesInScene } from '../../../core/images/sources.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import type { WithId } from '../../documents/documents.ts';
import { copyImages } from '../../images/copies.ts';
import { asShared, type LayoutImage } from '../../images/layout-images.ts';
import { imagesOf } from '../../images/library-location.ts';
import { readLibraries } from '../../images/library-store.ts';
import { readImagesSeen, readProjectImages } from '../../images/project-images.ts';
import type { LayoutName } from '../layout-address.ts';
import { openLibrary, type Project } from '../open-project.ts';
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

/**
 * Copies a layout of a project, with the images and fonts that it shows there: to another project, or to the user's library.
 * The copy names the copies of the images.
 */
export async function copyWithImages(
  { id, scene }: WithId<{ readonly scene: Layout }>,
  from: Project,
  to: Project | undefined,
): Promise<string> {
  return copyLayout(await withCopiedImages(scene, from, to), to, { ...from.place, layout: id });
}

/** A layout that shows copies of its images, which are made for it. @param from the user's library without */
export async function withCopiedImages(
  scene: Layout,
  from: Project | undefined,
  to: Project | undefined,
): Promise<Layout> {
  const known = from ? await readImagesSeen(from) : await readLibraries();
  const library = new ImageLibrary(known);
  const own = new Set(from ? (await readProjectImages(from)).map(({ id }) => id) : []);
  const target = to ? imagesOf(to) : 'image';
  const copies = new Map<string, string>();
  const shown = sourcesInScene(scene).flatMap((source) => library.find(source) ?? []);
  const people = [...new Set(shown.flatMap(({ shelf, id }) => (shelf === 'image' ? [id] : [])))];
  for (const [place, ids] of [
    [from && imagesOf(from), people.filter((id) => own.has(id))],
    ['image', people.filter((id) => !own.has(id))],
  ] as const) {
    if (place === undefined || place === target || ids.length === 0) continue;
    for (const [id, copy] of await copyImages(place, target, ids)) copies.set(id, copy);
  }
  return withCopies(scene, known, copies);
}
