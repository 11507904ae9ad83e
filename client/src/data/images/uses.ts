import { getDocs } from '@sdk/firestore';
import type { ImageLibrary } from '../../core/images/library.ts';
import { sourcesInCell, sourcesInScene } from '../../core/images/sources.ts';
import { cellAt } from '../../core/records.ts';
import { cardSchema, componentSchema, layoutDocumentSchema, projectSchema } from '../documents.ts';
import { editorAddress } from '../project/layout-address.ts';
import { type Layouts, openLibrary, openOwnProject, readOwnProjects } from '../project/open-project.ts';

/** A place that shows an image. */
export interface ImageUse {
  /** Reference of the image as `shelf:id`. */
  readonly image: string;
  /** Kind and name of the place, such as “Layout Frame”. */
  readonly what: string;
  /** Its page. */
  readonly to: string;
}

/** Most places told of for one question. */
export const MAX_USES = 2_000;

/**
 * Looks through all layouts and cards of the signed-in user for images.
 * @param wanted references (`shelf:id`) to look for
 */
export async function findUses(library: ImageLibrary, wanted: ReadonlySet<string>): Promise<ImageUse[]> {
  const found: ImageUse[] = [];
  const note = (sources: Iterable<string>, what: string, to: string) => {
    const seen = new Set<string>();
    for (const source of sources) {
      const image = library.find(source);
      const key = image && `${image.shelf}:${image.id}`;
      if (!key || !wanted.has(key) || seen.has(key) || found.length >= MAX_USES) continue;
      seen.add(key);
      found.push({ image: key, what, to });
    }
  };
  const noteLayouts = async (source: Layouts, where: string) => {
    for (const { id, ref, data } of await read(source.layouts)) {
      const layout = layoutDocumentSchema.safeParse(data);
      const name = layout.success ? layout.data.name : ref;
      note(sourcesInScene(data.scene), `Layout “${name}”${where}`, editorAddress(source.segment(id)));
    }
  };
  await noteLayouts(openLibrary(), '');
  for (const found of await readOwnProjects()) {
    const { id } = found;
    const project = openOwnProject(id);
    const details = projectSchema.safeParse(found.data());
    const projectName = details.success ? details.data.name : id;
    await noteLayouts(project, ` of “${projectName}”`);
    for (const part of await read(project.components)) {
      const component = componentSchema.safeParse(part.data);
      if (!component.success) continue;
      const ofImages = new Set(
        component.data.columns.filter(({ type }) => type === 'image').map(({ key }) => key),
      );
      for (const document of await read(project.cards(part.id))) {
        const card = cardSchema.safeParse(document.data);
        if (!card.success) continue;
        const { cells } = card.data;
        const sources = Object.entries(cells).flatMap(([key, text]) =>
          sourcesInCell(text, ofImages.has(key)),
        );
        const first = component.data.columns.map(({ key }) => cellAt(cells, key)).find((text) => text !== '');
        note(
          sources,
          `Card “${(first ?? 'without a name').slice(0, 60)}” of “${projectName}”`,
          `/decks/${id}?component=${part.id}&card=${document.id}`,
        );
      }
    }
  }
  return found;
}

async function read(collection: Parameters<typeof getDocs>[0]) {
  const { docs } = await getDocs(collection);
  return docs.map((doc) => ({
    id: doc.id,
    ref: doc.ref.path,
    data: (doc.data() ?? {}) as Record<string, unknown>,
  }));
}
