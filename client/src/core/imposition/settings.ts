import * as z from 'zod';

/**
 * Print settings: the print page's form and the content of a preset. All lengths are in millimetres. Plain JSON without
 * nested arrays, so that a document store keeps it as it is.
 */

/** Largest side of a custom page, in millimetres: the most PDF 1.7 shows without scaling. */
export const MAX_PAGE_MM = 5_080;
/** Most columns or rows on one sheet. */
export const MAX_GRID = 100;
/** Largest shift of the backs, in millimetres. */
export const MAX_NUDGE_MM = 20;
/** Widest overlap, and longest glue tab, between the pages of a board, in millimetres. */
export const MAX_OVERLAP_MM = 30;
/** Limits of the resolution of effects that a PDF shows as images, in dots per inch. */
export const MIN_RASTER_DPI = 72;
export const MAX_RASTER_DPI = 1_200;
const RASTER_DPI = 600;

const length = (most: number) => z.number().min(0).max(most);
const nudge = z.number().min(-MAX_NUDGE_MM).max(MAX_NUDGE_MM);

export const PAGE_SIZES = {
  a4: { name: 'A4', w: 210, h: 297 },
  letter: { name: 'Letter', w: 215.9, h: 279.4 },
  legal: { name: 'Legal', w: 215.9, h: 355.6 },
  a3: { name: 'A3', w: 297, h: 420 },
  tabloid: { name: 'Tabloid', w: 279.4, h: 431.8 },
} as const;
export type PageSizeId = keyof typeof PAGE_SIZES;

export const pageSchema = z.object({
  size: z.enum(['a4', 'letter', 'legal', 'a3', 'tabloid', 'custom']),
  /** Width of a `custom` page, upright. */
  width: z.number().min(20).max(MAX_PAGE_MM),
  height: z.number().min(20).max(MAX_PAGE_MM),
  orientation: z.enum(['portrait', 'landscape']),
  /** Free of cards; crop marks may reach into it. */
  margins: z.object({ top: length(200), right: length(200), bottom: length(200), left: length(200) }),
  /** Between neighbouring cards. */
  gapX: length(100),
  gapY: length(100),
  /** 0 is as many as fit. */
  columns: z.number().int().min(0).max(MAX_GRID),
  rows: z.number().int().min(0).max(MAX_GRID),
  /** Degrees clockwise that cards are turned on the sheet. */
  turn: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
});

export const marksSchema = z.object({
  /**
   * `corner`: short lines outside the cards; `full`: lines across the whole sheet; `cross`: a small
   * cross on every corner.
   */
  kind: z.enum(['none', 'corner', 'full', 'cross']),
  length: length(50),
  /** From the printed edge to the mark. */
  offset: length(20),
  width: z.number().min(0.01).max(5),
  color: z.string().regex(/^#[0-9a-f]{6}$/i),
});

export const backsSchema = z.object({
  /**
   * `separate`: sheets of backs after all fronts, each where its front is; `long-edge`, `short-edge`:
   * a sheet of backs behind every sheet of fronts, for a printer that turns the paper about that
   * edge; `fold`: front and back on one side, to be folded and glued.
   */
  mode: z.enum(['none', 'separate', 'long-edge', 'short-edge', 'fold']),
  /** Each card shows its own cells on its back; otherwise all backs are the same, without cells. */
  own: z.boolean(),
  /** Shift of the backs on their sheet, as one faces it: right and down. */
  nudgeX: nudge,
  nudgeY: nudge,
});

/** Boards, and whatever else is larger than a page. */
export const boardsSchema = z.object({
  /**
   * Treatment of a card larger than the page: `overlap`: over several pages, neighbours of which show the same strip;
   * `tabs`: over several pages with tabs to glue the next one on; `off`: refused.
   */
  split: z.enum(['off', 'overlap', 'tabs']),
  /** Width of the shared strip, or of a tab. */
  overlap: length(MAX_OVERLAP_MM),
  /** Number of panels that a board folds to; pages end at its folds. */
  fold: z.enum(['none', 'two', 'four', 'six']),
  /** A page before the others that shows how they go together. */
  overview: z.boolean(),
  /** Crosses in the shared strips, by which pages are laid on one another; missing in older presets. */
  crosses: z.boolean().default(false),
});

const DEFAULT_BOARDS: z.infer<typeof boardsSchema> = {
  split: 'overlap',
  overlap: 8,
  fold: 'none',
  overview: true,
  crosses: false,
};

export const printSettingsSchema = z.object({
  page: pageSchema,
  /** Print what lies outside the trim; cards move apart so that every card has room for it. */
  bleed: z.boolean(),
  marks: marksSchema,
  backs: backsSchema,
  /** No fills, pale images, black letters: for prototypes. */
  lowInk: z.boolean(),
  /** A ruler in the margin that tells whether the printer scaled the page. */
  ruler: z.boolean(),
  /** Print each card as often as the copies column says, or once. */
  copies: z.enum(['column', 'one']),
  /** `single`: one card on each page, as large as the card with its bleed. */
  arrangement: z.enum(['sheets', 'single']),
  /** Dots per inch of effects that become images; missing in older presets. */
  rasterDpi: z.number().int().min(MIN_RASTER_DPI).max(MAX_RASTER_DPI).default(RASTER_DPI),
  /** Missing in older presets, with which nothing larger than a page could be printed. */
  boards: boardsSchema.default(DEFAULT_BOARDS),
});

export type PageSpec = z.infer<typeof pageSchema>;
export type MarksSpec = z.infer<typeof marksSchema>;
export type BacksSpec = z.infer<typeof backsSchema>;
export type BoardsSpec = z.infer<typeof boardsSchema>;
export type PrintSettings = z.infer<typeof printSettingsSchema>;
export type Turn = PageSpec['turn'];

/** Nine poker cards fit on A4 and on Letter with these. */
export const DEFAULT_PAGE: PageSpec = {
  size: 'a4',
  width: 210,
  height: 297,
  orientation: 'portrait',
  margins: { top: 5, right: 5, bottom: 5, left: 5 },
  gapX: 0,
  gapY: 0,
  columns: 0,
  rows: 0,
  turn: 0,
};

export const DEFAULT_PRINT_SETTINGS: PrintSettings = {
  page: DEFAULT_PAGE,
  bleed: false,
  marks: { kind: 'corner', length: 3, offset: 1, width: 0.1, color: '#000000' },
  backs: { mode: 'long-edge', own: true, nudgeX: 0, nudgeY: 0 },
  lowInk: false,
  ruler: false,
  copies: 'column',
  arrangement: 'sheets',
  rasterDpi: RASTER_DPI,
  boards: DEFAULT_BOARDS,
};

/** Width and height of the page as it lies. */
export function pageSize(page: PageSpec): { w: number; h: number } {
  const { w, h } = page.size === 'custom' ? { w: page.width, h: page.height } : PAGE_SIZES[page.size];
  const upright = { w: Math.min(w, h), h: Math.max(w, h) };
  return page.orientation === 'portrait' ? upright : { w: upright.h, h: upright.w };
}

export function pageName(page: PageSpec): string {
  return page.size === 'custom' ? 'this page' : PAGE_SIZES[page.size].name;
}
