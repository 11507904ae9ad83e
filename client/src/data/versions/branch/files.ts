import { deleteDoc } from '@sdk/firestore';
import { deleteObject, ref } from '@sdk/storage';
import type { JsonObject } from '../../../core/archive/bundle.ts';
import { layoutSchema } from '../../../core/scene/layout.ts';
import { isStoredHere } from '../../../core/stored-file.ts';
import type { BranchAct } from '../../../core/versions/branch/change.ts';
import { withOwnFonts } from '../../fonts/own-fonts.ts';
import { copyImages } from '../../images/copies.ts';
import { imagesOf } from '../../images/library-location.ts';
import { prepare, send } from '../../images/upload/uploads.ts';
import type { Project } from '../../project/open-project.ts';
import { toJson } from '../../project/transfer/json.ts';
import { fileOf } from '../../project/transfer/library-exchange.ts';
import { fileStore } from '../../server/files.ts';

/** Files that changes of a branch show, as they lie in the project. */
export interface BroughtFiles {
  /** Scenes by the ids of their layouts, with fonts of the project. */
  readonly scenes: ReadonlyMap<string, JsonObject>;
  /** Fields of a picture's document about its new file, by the picture's id. */
  readonly contents: ReadonlyMap<string, JsonObject>;
  /** Takes pictures away again. Fonts stay in the project's list. */
  undo(): Promise<void>;
}

const NEVER = new AbortController().signal;

/** Stores the picture that a branch has as a file of the project. */
async function contentOf(project: Project, image: string, url: string): Promise<JsonObject> {
  // Documents name addresses, and people write documents.
  if (!isStoredHere(url))
    throw new Error('A picture of the branch does not lie on this server: upload it again there.');
  const content = await prepare(new Blob([await fileOf({ url })]));
  const { file, url: own } = await send({ id: image, shelf: imagesOf(project) }, content, {
    ...{ signal: NEVER, onSent: () => undefined, onSession: () => undefined },
  });
  const { blob, type, w, h } = content;
  return { file, url: own, bytes: blob.size, type, w, h };
}

/** The scene of a layout with its fonts in the project. */
async function sceneOf(project: Project, branch: string, layout: string, scene: JsonObject) {
  const read = layoutSchema.parse(scene);
  return toJson(await withOwnFonts(read, project, { project: branch, layout }));
}

/**
 * Copies the pictures and fonts that changes of a branch show into the project, before the documents are written that name
 * them. A failure takes away what was copied.
 */
export async function bringFiles(
  project: Project,
  branch: string,
  acts: readonly BranchAct[],
): Promise<BroughtFiles> {
  const scenes = new Map<string, JsonObject>();
  const contents = new Map<string, JsonObject>();
  const copies: string[] = [];
  const undo = async () => {
    const files = [...contents.values()].map(({ file }) => deleteObject(ref(fileStore(), String(file))));
    await Promise.allSettled([...files, ...copies.map((id) => deleteDoc(project.image(id)))]);
  };
  try {
    for (const act of acts) {
      if (act.kind === 'layout')
        scenes.set(act.layout, await sceneOf(project, branch, act.layout, act.scene));
      if (act.kind === 'newLayout') {
        const scene = act.value['scene'] as JsonObject;
        scenes.set(act.layout, await sceneOf(project, branch, act.layout, scene));
      }
      if (act.kind === 'image' && act.url !== undefined)
        contents.set(act.image, await contentOf(project, act.image, act.url));
    }
    const images = acts.flatMap((act) => (act.kind === 'newImage' ? [act.image] : []));
    if (images.length > 0) {
      const made = await copyImages(imagesOf({ id: branch }), imagesOf(project), images);
      // A copy under another id was there before.
      copies.push(...images.filter((id) => made.get(id) === id));
    }
    return { scenes, contents, undo };
  } catch (error) {
    await undo();
    throw error;
  }
}
