import isEqual from 'fast-deep-equal';
import { RulebookError } from '../document/error.ts';
import type { Rulebook } from '../document/schema.ts';
import { checkedText, type Unit, unitsOf, withTexts } from './units.ts';

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
  /** Reason for which the source is printed instead of the translation. */
  readonly fault: string | undefined;
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
    if (fits) {
      return { unit, state: 'done', text: fits.text, was: undefined, fault: faultOf(unit, fits) };
    }
    const words = own && cellWords(unit.id, own.source);
    // The translation of what now stands in another cell is no translation of this one.
    if (!own || (words !== undefined && current.has(words))) {
      return { unit, state: 'missing', text: undefined, was: undefined, fault: undefined };
    }
    return { unit, state: 'stale', text: own.text, was: own.source, fault: faultOf(unit, own) };
  });
}

/** Units with those that are as they were taken from before, so that their rows are not drawn again. */
export function keepUnchanged(
  before: readonly TranslatedUnit[],
  units: readonly TranslatedUnit[],
): readonly TranslatedUnit[] {
  const known = new Map(before.map((one) => [one.unit.id, one]));
  return units.map((one) => {
    const old = known.get(one.unit.id);
    return old && isEqual(old, one) ? old : one;
  });
}

/** The source that a translation was compared with last, and its fault: reading all at each letter would take long. */
const compared = new WeakMap<Entry, { readonly source: string; readonly fault: string | undefined }>();

/** Reason for which a translation cannot stand for a unit as it is now. */
function faultOf(unit: Unit, entry: Entry): string | undefined {
  const known = compared.get(entry);
  if (known?.source === unit.source) return known.fault;
  let fault: string | undefined;
  try {
    checkedText(unit, entry.text);
  } catch (error) {
    if (!(error instanceof RulebookError)) throw error;
    fault = error.message;
  }
  compared.set(entry, { source: unit.source, fault });
  return fault;
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

/** The translations that are printed, by the ids of their units. */
export function printedTexts(units: readonly TranslatedUnit[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { unit, text, fault } of units) {
    if (text !== undefined && fault === undefined) texts.set(unit.id, text);
  }
  return texts;
}

/** A rulebook in another language; its source where no translation can be printed. */
export function translated(book: Rulebook, language: string, entries: Entries): Rulebook {
  const texts = printedTexts(translatedUnits(book, entries));
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
