import { ImageLibrary, type LibraryImage, referenceTo } from '../../core/images/library.ts';
import { type Rename, renameInCell, renameInScene } from '../../core/images/sources.ts';
import type { Layout } from '../../core/scene/layout.ts';
import type { Component } from '../documents.ts';
import type { Project } from '../project/open-project.ts';
import { readLibraries } from './library-store.ts';
import { notInLibrary, readProjectImages } from './project-images.ts';
import { setSharedImages } from './shared-images.ts';

/** Covers of many projects stand beside each other: a name that all libraries know means none of their pictures. */
const LAST_RANK = 2;

/** A card among those of other projects, with what its project's people lend it. */
export interface CoverCard {
  readonly layout: Layout;
  readonly cells: Readonly<Record<string, string>>;
  readonly shared: readonly LibraryImage[];
}

/**
 * A project's card to be shown outside of the project. What its layout and cells name is found there as it is in the
 * project, whatever it would mean elsewhere.
 */
export async function withSharedImages(
  project: Project,
  scene: Layout,
  cells: Readonly<Record<string, string>>,
  columns: Component['columns'],
): Promise<CoverCard> {
  const [libraryImages, images] = await Promise.all([readLibraries(), readProjectImages(project)]);
  return namedAsInProject(scene, cells, columns, [
    ...libraryImages,
    ...notInLibrary(images, libraryImages, project),
  ]);
}

/** @param images those of the user's libraries, and those lent to the project, which have ranks */
export function namedAsInProject(
  scene: Layout,
  cells: Readonly<Record<string, string>>,
  columns: Component['columns'],
  images: readonly LibraryImage[],
): CoverCard {
  const library = new ImageLibrary(images);
  const rename: Rename = (source) => {
    const image = library.find(source);
    return image && referenceTo(image);
  };
  const ofImages = new Set(columns.flatMap(({ key, type }) => (type === 'image' ? [key] : [])));
  return {
    layout: renameInScene(scene, rename),
    cells: Object.fromEntries(
      Object.entries(cells).map(([key, text]) => [key, renameInCell(text, ofImages.has(key), rename)]),
    ),
    shared: images.flatMap((image) => (image.rank === undefined ? [] : [{ ...image, rank: LAST_RANK }])),
  };
}

/** Lets painters have a cover's pictures until the answer is called. */
export function showOnCover(project: string, shared: readonly LibraryImage[]): () => void {
  setSharedImages(`cover ${project}`, shared);
  return () => setSharedImages(`cover ${project}`, []);
}
