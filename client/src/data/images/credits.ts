import { getDoc, getDocs } from '@sdk/firestore';
import type { ImageLibrary, LibraryImage } from '../../core/images/library.ts';
import { sourcesInCell, sourcesInScene } from '../../core/images/sources.ts';
import { cardSchema, componentSchema, usedLayouts } from '../documents.ts';
import type { Project } from '../project/open-project.ts';

/** The images that a project's cards and layouts show. */
export interface ProjectImages {
  readonly images: readonly LibraryImage[];
  /** Names that no library has. */
  readonly missing: readonly string[];
}

/** Reads all layouts and cards of a project, and finds the images that they name. */
export async function imagesOfProject(project: Project, library: ImageLibrary): Promise<ProjectImages> {
  const found = new Map<string, LibraryImage>();
  const missing = new Set<string>();
  const note = (sources: Iterable<string>) => {
    for (const source of sources) {
      const image = library.find(source);
      if (image) found.set(`${image.shelf}:${image.id}`, image);
      else missing.add(source);
    }
  };
  const layouts = new Set<string>();
  const { docs } = await getDocs(project.components);
  for (const document of docs) {
    const component = componentSchema.safeParse(document.data());
    if (!component.success) continue;
    const { columns } = component.data;
    for (const id of usedLayouts(component.data)) layouts.add(id);
    const ofImages = new Set(columns.filter(({ type }) => type === 'image').map(({ key }) => key));
    const cards = await getDocs(project.cards(document.id));
    for (const one of cards.docs) {
      const card = cardSchema.safeParse(one.data());
      if (!card.success) continue;
      for (const [key, text] of Object.entries(card.data.cells)) note(sourcesInCell(text, ofImages.has(key)));
    }
  }
  for (const id of layouts) {
    const layout = await getDoc(project.layout(id));
    if (layout.exists()) note(sourcesInScene((layout.data() as Record<string, unknown>).scene));
  }
  return { images: [...found.values()], missing: [...missing].sort() };
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
