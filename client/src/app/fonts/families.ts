import { FONT_FAMILIES, type FontFamily } from '../../core/text/fonts/catalogue.ts';

/** Groups of the list of fonts, in their order. */
export const CATEGORIES = ['own', 'serif', 'sans-serif', 'display', 'handwriting', 'monospace'] as const;
export type Category = (typeof CATEGORIES)[number];

export const CATEGORY_LABELS: Readonly<Record<Category, string>> = {
  own: 'Your fonts',
  serif: 'Serif',
  'sans-serif': 'Sans serif',
  display: 'Display',
  handwriting: 'Handwriting',
  monospace: 'Typewriter',
};

/** A group with the families found in it. */
export interface FamilyGroup {
  readonly category: Category;
  readonly families: readonly FontFamily[];
}

/**
 * The families offered, in groups, by name.
 * @param query words that all have to occur in the name or the group's name
 */
export function familyGroups(
  own: readonly FontFamily[],
  library: readonly FontFamily[],
  query: string,
  only: Category | null = null,
): FamilyGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const offered = [...own, ...FONT_FAMILIES.filter(({ fallbackOnly }) => !fallbackOnly), ...library];
  return CATEGORIES.filter((category) => only === null || category === only)
    .map((category) => ({
      category,
      families: offered
        .filter((family) => family.category === category)
        .filter(({ name }) =>
          words.every((word) => `${name} ${CATEGORY_LABELS[category]}`.toLowerCase().includes(word)),
        )
        .sort((a, b) => a.name.localeCompare(b.name)),
    }))
    .filter(({ families }) => families.length > 0);
}
