import {
  type Entries,
  printedTexts,
  type TranslatedUnit,
  unitStates,
} from '../../translation/translation.ts';
import type { Rulebook } from '../document/schema.ts';
import { unitsOf, withTexts } from './units.ts';

/**
 * Every unit of a rulebook with its state. Cells of a table are found by their words, too: a row that was put into it
 * moves the translations of those below, and changes none.
 */
export const translatedUnits = (book: Rulebook, entries: Entries): TranslatedUnit[] =>
  unitStates(unitsOf(book), entries, cellWords);

/** The words of a cell, with the id of its table; nothing for what is no cell. */
function cellWords(id: string, source: string): string | undefined {
  const table = /^(.+)\.r\d+c\d+$/.exec(id)?.[1];
  return table === undefined ? undefined : `${table}\n${source}`;
}

/** A rulebook in another language; its source where no translation can be printed. */
export function translated(book: Rulebook, language: string, entries: Entries): Rulebook {
  const texts = printedTexts(translatedUnits(book, entries));
  return withTexts(book, language, (id) => texts.get(id));
}
