import { ImageLibrary, type LibraryImage, referenceTo } from '../../core/images/library.ts';
import { type Rename, renameInCell, renameInScene } from '../../core/images/sources.ts';
import type { Layout } from '../../core/scene/layout.ts';
import type { Component } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { toLibraryImage } from './library-store.ts';
import { readImagesSeen } from './project-images.ts';
import { setSharedImages } from './shared-images.ts';

/** Covers of many projects stand beside each other: a name that all libraries know means none of their images. */
const LAST_RANK = 2;

/** Ids that references can name. */
const NAMEABLE = /^[\w-]{1,128}$/;

/** A card among those of other projects, with the images of its project. */
export interface CoverCard {
  readonly layout: Layout;
  readonly cells: Readonly<Record<string, string>>;
  /** Those of the project's images that it shows. */
  readonly shared: readonly LibraryImage[];
}

/**
 * A project's card to be shown outside of the project. What its layout and cells name is found there as it is in the
 * project, whatever it would mean elsewhere.
 */
export async function asCover(
  project: Project,
  scene: Layout,
  cells: Readonly<Record<string, string>>,
  columns: Component['columns'],
): Promise<CoverCard> {
  return namedAsInProject(project.id, scene, cells, columns, await imagesForCovers(project));
}

/** The images that names mean in a project. */
export async function imagesForCovers(project: Project): Promise<LibraryImage[]> {
  const seen = await readImagesSeen(project);
  return seen.map(({ rank, ...image }) => ({ ...toLibraryImage(image), rank }));
}

/**
 * @param images those of the user's libraries, and those of the project, which have ranks. Copies of one image in several
 * projects have one id, so those of the project get ids of their own.
 */
export function namedAsInProject(
  project: string,
  scene: Layout,
  cells: Readonly<Record<string, string>>,
  columns: Component['columns'],
  images: readonly LibraryImage[],
): CoverCard {
  const library = new ImageLibrary(images);
  const shown = new Map<string, LibraryImage>();
  const onCover = (image: LibraryImage): LibraryImage => {
    if (image.rank === undefined) return image;
    const id = `${project}-${image.id}`;
    return { ...image, ...(NAMEABLE.test(id) && { id }), rank: LAST_RANK };
  };
  const rename: Rename = (source) => {
    const image = library.find(source);
    if (!image) return undefined;
    const found = onCover(image);
    if (image.rank !== undefined) shown.set(found.id, found);
    return referenceTo(found);
  };
  const ofImages = new Set(columns.flatMap(({ key, type }) => (type === 'image' ? [key] : [])));
  const layout = renameInScene(scene, rename);
  const named = Object.entries(cells).map(([key, text]) => [
    key,
    renameInCell(text, ofImages.has(key), rename),
  ]);
  return { layout, cells: Object.fromEntries(named), shared: [...shown.values()] };
}

/** Lets painters have the images of a cover until the answer is called. */
export function showOnCover(project: string, shared: readonly LibraryImage[]): () => void {
  setSharedImages(`cover ${project}`, shared);
  return () => setSharedImages(`cover ${project}`, []);
}
