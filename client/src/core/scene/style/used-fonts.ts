import type { Layout } from '../layout.ts';
import type { LayoutFont } from './layout-font.ts';

/** Keys of a scene below which any text may name a family: formulas, and cells of the sample card. */
const FREE_TEXT: ReadonlySet<string> = new Set(['formula', 'sample']);

type Family = Pick<LayoutFont, 'family' | 'name'>;

const lower = (text: string): string => text.trim().toLowerCase();

/** True if a cell or a formula may choose a family: it has the family's name somewhere. */
export function mayNameFont(text: string, { family, name }: Family): boolean {
  const whole = text.toLowerCase();
  return whole.includes(family) || whole.includes(lower(name));
}

/** True if something in a layout is set in a family, or may be by what a formula or the sample card says. */
export function isSetIn({ fonts: _, ...scene }: Layout, font: Family): boolean {
  const walk = (value: unknown, key: string): boolean => {
    if (typeof value === 'string') {
      if (key === 'family') return [font.family, lower(font.name)].includes(lower(value));
      return FREE_TEXT.has(key) && mayNameFont(value, font);
    }
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(([name, one]) =>
      // Entries of a list are what the list is, and a sample's cells are free text whatever their columns are called.
      walk(one, Array.isArray(value) || FREE_TEXT.has(key) ? key : name),
    );
  };
  return walk(scene, '');
}
