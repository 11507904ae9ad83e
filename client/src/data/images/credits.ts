import type { ImageLibrary, LibraryImage } from '../../core/images/library.ts';
import { usedLayouts } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { placesNaming, readTexts } from './places.ts';

/** The images that a project shows. */
export interface ProjectImages {
  readonly images: readonly LibraryImage[];
  /** Names that no library has. */
  readonly missing: readonly string[];
}

/**
 * Reads a project, and finds the images that its cards, layouts and rulebooks name.
 * @param which layouts: those that components use, or all that a member may open
 */
export async function imagesOfProject(
  project: Project,
  library: ImageLibrary,
  which: 'used' | 'all' = 'used',
): Promise<ProjectImages> {
  const texts = await readTexts(project);
  const used = new Set(texts.components.flatMap((component) => [component.id, ...usedLayouts(component)]));
  for (const { id } of texts.rulebooks ?? []) used.add(id);
  const found = new Map<string, LibraryImage>();
  const missing = new Set<string>();
  for await (const { sources } of placesNaming(texts, (id) => which === 'all' || used.has(id))) {
    for (const source of sources) {
      const image = library.find(source);
      if (image) found.set(`${image.shelf}:${image.id}`, image);
      else missing.add(source);
    }
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
