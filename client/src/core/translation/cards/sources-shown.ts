import type { TranslatedUnit } from '../translation.ts';

/** Cards, and texts of layouts, of which a language prints the source somewhere. */
export interface SourcesShown {
  /** Places of the cards. */
  readonly cards: readonly string[];
  /** Texts of layouts. */
  readonly layoutTexts: number;
}

/** Finds where the source is printed: a text has no translation, or one that does not fit. */
export function sourcesShown(units: readonly TranslatedUnit[]): SourcesShown {
  const open = units.filter(({ text, fault }) => text === undefined || fault !== undefined);
  const cards = new Set(open.flatMap(({ unit }) => (unit.place.startsWith('c.') ? [unit.place] : [])));
  return { cards: [...cards], layoutTexts: open.filter(({ unit }) => unit.place.startsWith('l.')).length };
}
