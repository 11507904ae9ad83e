import { getDoc, getDocs } from '@sdk/firestore';
import type { ImageLibrary, LibraryImage } from '../../core/images/library.ts';
import { columnsOfImages, sourcesInCell, sourcesInScene } from '../../core/images/sources.ts';
import { type Component, cardSchema, componentSchema, usedLayouts } from '../documents.ts';
import type { Project } from '../project/open-project.ts';
import { computedCards } from '../table/formula.ts';

/** The images that a project's cards and layouts show. */
export interface ProjectImages {
  readonly images: readonly LibraryImage[];
  /** Names that no library has. */
  readonly missing: readonly string[];
}

/** Columns whose whole text is an image: of that type, or bound to an image by a layout. */
function imageColumns(columns: Component['columns'], bound: ReadonlySet<string>): ReadonlySet<string> {
  const isBound = ({ key, name }: { readonly key: string; readonly name: string }) =>
    bound.has(key.toLowerCase()) || bound.has(name.toLowerCase());
  return new Set(
    columns.filter((column) => column.type === 'image' || isBound(column)).map(({ key }) => key),
  );
}

/**
 * Reads the layouts and cards of a project, and finds the images that they name.
 * @param which layouts: those that components use, or all that a member may open
 */
export async function imagesOfProject(
  project: Project,
  library: ImageLibrary,
  which: 'used' | 'all' = 'used',
): Promise<ProjectImages> {
  const found = new Map<string, LibraryImage>();
  const missing = new Set<string>();
  const note = (sources: Iterable<string>) => {
    for (const source of sources) {
      const image = library.find(source);
      if (image) found.set(`${image.shelf}:${image.id}`, image);
      else missing.add(source);
    }
  };
  const components = (await getDocs(project.components)).docs.flatMap((document) => {
    const read = componentSchema.safeParse(document.data());
    return read.success ? [{ ...read.data, id: document.id }] : [];
  });
  const used = new Set(components.flatMap((component) => [...usedLayouts(component)]));
  const bound = new Set<string>();
  for (const { id, scene } of await readScenes(project, which === 'all' ? undefined : used)) {
    note(sourcesInScene(scene));
    if (used.has(id)) for (const column of columnsOfImages(scene)) bound.add(column.toLowerCase());
  }
  for (const component of components) {
    const ofImages = imageColumns(component.columns, bound);
    const cards = (await getDocs(project.cards(component.id))).docs.flatMap((one) => {
      const card = cardSchema.safeParse(one.data());
      return card.success ? [{ ...card.data, id: one.id }] : [];
    });
    for (const { cells } of computedCards(cards, component)) {
      for (const [key, text] of Object.entries(cells)) note(sourcesInCell(text, ofImages.has(key)));
    }
  }
  return { images: [...found.values()], missing: [...missing].sort() };
}

/** The scenes of a project's layouts: of these, or of all. */
async function readScenes(project: Project, ids: ReadonlySet<string> | undefined) {
  const documents = ids
    ? await Promise.all([...ids].map((id) => getDoc(project.layout(id))))
    : (await getDocs(project.layouts)).docs;
  return documents.flatMap((document) => {
    const data = document.data() as Record<string, unknown> | undefined;
    return data ? [{ id: document.id, scene: data.scene }] : [];
  });
}

/** Credit for the images that share an author and a licence. */
export interface CreditLine {
  readonly credit: string;
  readonly licence: string;
  readonly paths: readonly string[];
}

/** The images by credit and licence; those of which nothing is known come last. */
export function creditLines(
  images: readonly { readonly path: string; readonly credit: string; readonly licence: string }[],
): CreditLine[] {
  const lines = new Map<string, { credit: string; licence: string; paths: string[] }>();
  for (const { path, credit, licence } of images) {
    const key = JSON.stringify([credit.trim(), licence.trim()]);
    const line = lines.get(key) ?? { credit: credit.trim(), licence: licence.trim(), paths: [] };
    line.paths.push(path);
    lines.set(key, line);
  }
  const known = ({ credit, licence }: CreditLine) => credit !== '' || licence !== '';
  return [...lines.values()]
    .map((line) => ({ ...line, paths: [...line.paths].sort() }))
    .sort(
      (a, b) =>
        Number(known(b)) - Number(known(a)) ||
        a.credit.localeCompare(b.credit) ||
        a.licence.localeCompare(b.licence),
    );
}

/** The credits as a text to print in a rulebook. */
export function creditsText(lines: readonly CreditLine[]): string {
  return lines
    .filter(({ credit, licence }) => credit !== '' || licence !== '')
    .map(({ credit, licence, paths: names }) =>
      [credit || names.join(', '), licence].filter((part) => part !== '').join('. '),
    )
    .map((line) => `${line}.`)
    .join('\n');
}
