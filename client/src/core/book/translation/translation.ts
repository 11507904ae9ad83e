import type { Rulebook } from '../schema.ts';
import { type Unit, unitsOf, withTexts } from './units.ts';

/** A translation as it is stored: its text, and the source that it was made from. */
export interface Entry {
  readonly source: string;
  readonly text: string;
}

/** Translations into one language by the ids of their units. */
export type Entries = ReadonlyMap<string, Entry>;

/** A unit is stale when its source has changed since it was translated. */
export type UnitState = 'missing' | 'stale' | 'done';

/** A unit with its translation, as far as there is one. */
export interface TranslatedUnit {
  readonly unit: Unit;
  readonly state: UnitState;
  readonly text: string | undefined;
  /** The source of a stale translation. */
  readonly was: string | undefined;
}

/**
 * Every unit of a rulebook with its state. Cells of a table are found by their words, too: a row that was put into it
 * moves the translations of those below, and changes none.
 */
export function translatedUnits(book: Rulebook, entries: Entries): TranslatedUnit[] {
  const units = unitsOf(book);
  const current = new Set(units.map(({ id, source }) => cellWords(id, source)));
  const byWords = new Map<string, Entry>();
  for (const [id, entry] of entries) {
    const words = cellWords(id, entry.source);
    if (words !== undefined) byWords.set(words, entry);
  }
  return units.map((unit) => {
    const own = entries.get(unit.id);
    const fits = own?.source === unit.source ? own : byWords.get(cellWords(unit.id, unit.source) ?? '');
    if (fits) return { unit, state: 'done', text: fits.text, was: undefined };
    const words = own && cellWords(unit.id, own.source);
    // The translation of what now stands in another cell is no translation of this one.
    if (!own || (words !== undefined && current.has(words))) {
      return { unit, state: 'missing', text: undefined, was: undefined };
    }
    return { unit, state: 'stale', text: own.text, was: own.source };
  });
}

/** The words of a cell, with the id of its table; nothing for what is no cell. */
function cellWords(id: string, source: string): string | undefined {
  const table = /^(.+)\.r\d+c\d+$/.exec(id)?.[1];
  return table === undefined ? undefined : `${table}\n${source}`;
}

/** Numbers of units by their state. */
export type StateCounts = Readonly<Record<UnitState, number>>;

export function stateCounts(units: readonly TranslatedUnit[]): StateCounts {
  const counts = { missing: 0, stale: 0, done: 0 };
  for (const { state } of units) counts[state]++;
  return counts;
}

/** A rulebook in another language; its source where nothing is translated. */
export function translated(book: Rulebook, language: string, entries: Entries): Rulebook {
  const texts = new Map<string, string>();
  for (const { unit, text } of translatedUnits(book, entries)) {
    if (text !== undefined) texts.set(unit.id, text);
  }
  return withTexts(book, language, (id) => texts.get(id));
}

/**
 * Changes of some units with those that they need: a cell that has its translation from another place gets it into its
 * own, before that place gets another one.
 */
export function withSettled(
  changes: ReadonlyMap<string, Entry | null>,
  units: readonly TranslatedUnit[],
  entries: Entries,
): ReadonlyMap<string, Entry | null> {
  const blocks = new Set(units.flatMap(({ unit }) => (changes.has(unit.id) ? [unit.block] : [])));
  const settled = new Map<string, Entry | null>();
  for (const { unit, state, text } of units) {
    if (!blocks.has(unit.block) || state !== 'done' || text === undefined) continue;
    const own = entries.get(unit.id);
    if (own?.source !== unit.source) settled.set(unit.id, { source: unit.source, text });
  }
  return new Map([...settled, ...changes]);
}
