import type { BundleEntry } from '../imposition/images/painting.ts';
import type { PrintPart } from '../imposition/job/print-job.ts';
import { playingCardsEntries, screentopEntries, tabletopiaEntries } from './sets.ts';

/** A virtual table that takes images and lists. */
export interface TableSet {
  readonly name: string;
  /** The files in a few words. */
  readonly summary: string;
  /** Instructions for the import there. */
  readonly note: string;
  entries(parts: readonly PrintPart[], dpi: number): BundleEntry[];
}

/** Dots per inch of cards in sets of single images. */
export const TABLE_SET_DPI = 200;

/** Virtual tables that take images and lists, in the order of menus; the page, the command line and `exportDeck` offer them. */
export const TABLE_SETS = {
  tabletopia: {
    name: 'Tabletopia',
    summary: 'a set of pictures',
    note: 'One picture a side, all of exactly the same size; a back that all share is there once. A board with spaces has its magnetic map beside it: add it to the board there.',
    entries: tabletopiaEntries,
  },
  screentop: {
    name: 'Screentop',
    summary: 'grids of pictures',
    note: 'One grid picture a component: equal cells, blanks at the end, and a list of what is where. Screentop reads no dropzones from a file: the spaces of a board are a list to make them by.',
    entries: screentopEntries,
  },
  pcio: {
    name: 'playingcards.io',
    summary: 'pictures and a table for playingcards.io',
    note: 'Pictures and a table of the cards. The site’s own columns are not published: match them when you import.',
    entries: playingCardsEntries,
  },
} as const satisfies Readonly<Record<string, TableSet>>;

export type TableSetId = keyof typeof TABLE_SETS;
export const TABLE_SET_IDS = Object.keys(TABLE_SETS) as readonly TableSetId[];
