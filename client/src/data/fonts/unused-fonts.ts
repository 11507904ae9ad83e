import { type DocumentReference, getDocs } from '@sdk/firestore';
import type { Layout } from '../../core/scene/layout.ts';
import { isSetIn, mayNameFont } from '../../core/scene/style/used-fonts.ts';
import { cardSchema, componentSchema, layoutVersionSchema, usedLayouts } from '../documents/documents.ts';
import { versionsOf } from '../layouts/layout-versions.ts';
import type { Layouts, Project } from '../project/open-project.ts';

/**
 * Families that versions or cards of a layout need, by its path. They are looked for once in a window: a layout may be saved
 * every few seconds.
 */
const needed = new Map<string, Set<string>>();

const isProject = (place: Layouts): place is Project => 'components' in place;

/**
 * The families of one's own that a layout lists and that nothing is set in: no zone of it, no version that is kept, and no
 * card that looks different from the others.
 */
export async function unusedFonts(
  layout: DocumentReference,
  scene: Layout,
  place: Layouts,
): Promise<ReadonlySet<string>> {
  const known = needed.get(layout.path) ?? new Set();
  const left = new Map(
    (scene.fonts ?? [])
      .filter((font) => !known.has(font.family) && !isSetIn(scene, font))
      .map((font) => [font.family, font]),
  );
  if (left.size === 0) return new Set();
  const keep = (uses: (font: { family: string; name: string }) => boolean) => {
    for (const [family, font] of left) {
      if (!uses(font)) continue;
      left.delete(family);
      known.add(family);
    }
  };
  needed.set(layout.path, known);
  for (const version of (await getDocs(versionsOf(layout))).docs) {
    const read = layoutVersionSchema.safeParse(version.data());
    // One that cannot be read may need any of them.
    keep((font) => !read.success || isSetIn(read.data.scene, font));
  }
  if (isProject(place)) await keepThoseOnCards(place, layout.id, () => left.size > 0, keep);
  return new Set(left.keys());
}

/** Cells may name a family: those that say how a card alone looks, and those that choose it. */
async function keepThoseOnCards(
  project: Project,
  layout: string,
  isWanted: () => boolean,
  keep: (uses: (font: { family: string; name: string }) => boolean) => void,
): Promise<void> {
  for (const component of (await getDocs(project.components)).docs) {
    const read = componentSchema.safeParse(component.data());
    if (!isWanted()) return;
    // One that cannot be read may show it.
    if (read.success && !usedLayouts(read.data).includes(layout)) continue;
    // A formula may put the name of any font together.
    keep(() => !read.success || read.data.columns.some(({ formula }) => formula));
    if (!isWanted()) return;
    for (const card of (await getDocs(project.cards(component.id))).docs) {
      const cells = cardSchema.safeParse(card.data()).data?.cells;
      keep((font) => !cells || Object.values(cells).some((cell) => mayNameFont(cell, font)));
    }
  }
}
