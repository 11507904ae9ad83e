import type { ProjectBundle } from '../../core/archive/bundle.ts';
import { ImageLibrary, referenceTo } from '../../core/images/library.ts';
import { renameInScene, sourcesInScene } from '../../core/images/sources.ts';
import { type Layout, layoutSchema } from '../../core/scene/layout.ts';
import { copyImages } from '../images/copies.ts';
import { asShared, type LayoutImage } from '../images/layout-images.ts';
import { imagesOf } from '../images/library-location.ts';
import { readLibraries } from '../images/library-store.ts';
import { readImagesSeen, readProjectImages } from '../images/project-images.ts';
import { contentHash } from '../images/upload/content-hash.ts';
import { copyLayout } from '../project-contents.ts';
import { type ImageTarget, takeImages } from './images-in.ts';
import { type ImageSource, inParallel, withImages } from './images-out.ts';
import { toJson } from './json.ts';
import { fileOf, imageTarget } from './library-exchange.ts';
import type { Project } from './open-project.ts';

/** Pictures read at once. */
const PARALLEL_READS = 4;

/** A layout that shows pictures of the reader's own library. */
export interface TakenLayout {
  readonly scene: Layout;
  /** Paths of the pictures whose files are gone: the layout shows their names. */
  readonly gone: readonly string[];
  /** Takes out of the library again what was put there. */
  undo(): Promise<void>;
}

/**
 * Takes the pictures that somebody else's layout shows into the user's library, with their credits, and makes the
 * layout call them so. Pictures that are there already are not taken again.
 * @throws Error when a picture cannot be kept; nothing is left behind then
 */
export async function withLibraryImages(
  scene: Layout,
  images: readonly LayoutImage[],
  read: ImageSource['read'],
  target: ImageTarget,
): Promise<TakenLayout> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const gone: string[] = [];
  await inParallel(images, PARALLEL_READS, async (picture) => {
    const file = await read(asShared(picture), undefined).catch(() => undefined);
    if (file) files.set(picture.id, file);
    else gone.push(picture.path);
  });
  const source: ImageSource = {
    images: async () => images.filter(({ id }) => files.has(id)).map(asShared),
    read: async ({ id }) => files.get(id) ?? new Uint8Array(),
    hash: contentHash,
  };
  const { bundle, undo } = await takeImages(await withImages(bundleOf(scene), source), target);
  return { scene: layoutSchema.parse(bundle.layouts[0]?.scene), gone, undo };
}

function bundleOf(scene: Layout): ProjectBundle {
  return {
    project: { name: scene.name, description: '', tags: [], coverColor: '', cover: 'colour' },
    notes: '',
    components: [],
    layouts: [{ key: 'layout', name: scene.name, scene: toJson(scene) }],
    comments: [],
    presets: [],
    runs: [],
    rulebooks: [],
    images: [],
  };
}

/**
 * Makes a layout of one's own from a shared one, its pictures too.
 * @param project that gets it; without one the user's library does
 * @returns its id, and the pictures that could not be taken along
 */
export async function copySharedLayout(
  scene: Layout,
  images: readonly LayoutImage[],
  project?: Project,
): Promise<{ readonly id: string; readonly gone: readonly string[] }> {
  const taken = await withLibraryImages(scene, images, fileOf, imageTarget('image'));
  try {
    return { id: await copyLayout(taken.scene, project), gone: taken.gone };
  } catch (error) {
    await taken.undo().catch(() => undefined);
    throw error;
  }
}

/**
 * Copies a layout of a project, with the images that it shows there: to another project, or to the user's library. The copy
 * names the copies of the images.
 */
export async function copyWithImages(scene: Layout, from: Project, to: Project | undefined): Promise<string> {
  return copyLayout(await withCopiedImages(scene, from, to), to);
}

/** A layout that shows copies of its images, which are made for it. @param from the user's library without */
export async function withCopiedImages(
  scene: Layout,
  from: Project | undefined,
  to: Project | undefined,
): Promise<Layout> {
  const library = new ImageLibrary(from ? await readImagesSeen(from) : await readLibraries());
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
  return renameInScene(scene, (source) => {
    const image = library.find(source);
    const id = image?.shelf === 'image' ? copies.get(image.id) : undefined;
    return image && id !== undefined ? referenceTo({ ...image, id }) : undefined;
  });
}
