import { foldMarks } from '../folding/fold-marks.ts';
import { type PrintSettings, pageSize, type Turn } from '../settings.ts';
import { everyCopy, limitSheets, MAX_SHEETS } from '../sheets/copies.ts';
import { fitsOnPage, type Grid, gridOf } from '../sheets/grid.ts';
import { cropMarks, type Line } from '../sheets/marks.ts';
import { behind, flipLine, type Mirror, type Placed } from '../sheets/reflect.ts';
import type { CardSet, Placement, Sheet, SheetPlan } from '../sheets/sheet.ts';
import { tiledPlan } from '../tiling/tile-sheets.ts';

/**
 * Placement of cards on sheets. Pure arithmetic in millimetres, origin at the page's top left corner. Cards stand in a
 * grid centred between the margins, as many as fit; copies of a card follow one another. A sheet is one side of a
 * paper.
 */

/**
 * Cards larger than the page lie on the page in its other orientation, or on several.
 * @param blankBacks print empty backs for cards without any, so that the next set begins on a front
 * @throws ImpositionError when not one card fits and none may be split, or the sheets would be too many
 */
export function impose(cards: CardSet, settings: PrintSettings, blankBacks = false): SheetPlan {
  if (settings.arrangement === 'single') return singles(cards, settings);
  const card = { ...cards.size, bleed: cards.bleed };
  if (fitsOnPage(card, settings) || settings.boards.split === 'off') {
    return gridPlan(cards, settings, blankBacks);
  }
  const { page } = settings;
  const orientation = page.orientation === 'portrait' ? 'landscape' : 'portrait';
  const turned: PrintSettings = { ...settings, page: { ...page, orientation } };
  return fitsOnPage(card, turned)
    ? gridPlan(cards, turned, blankBacks)
    : tiledPlan(cards, settings, blankBacks);
}

function gridPlan(cards: CardSet, settings: PrintSettings, blankBacks: boolean): SheetPlan {
  const { mode } = settings.backs;
  const backs = cards.hasBacks && mode !== 'none';
  const fold = backs && mode === 'fold';
  const grid = gridOf({ ...cards.size, bleed: cards.bleed }, settings, fold);
  const page = pageSize(settings.page);
  const slots = slotsOf(grid, settings.page.turn);
  const all = everyCopy(cards.copies);
  limitSheets(all.length, slots.length);
  const fronts: Sheet[] = [];
  for (let start = 0; start < all.length; start += slots.length) {
    const placements = all.slice(start, start + slots.length).map((item, index): Placement => {
      const slot = slots[index] as Placed;
      return { ...item, side: 'front', ...slot };
    });
    const bends = cards.boards
      ? foldMarks(settings.boards.fold, cards.size, placements, grid, settings.marks, page)
      : undefined;
    fronts.push({
      side: 'front',
      placements,
      marks: [...cropMarks(placements, grid, settings.marks, page), ...(bends?.slits ?? [])],
      folds: bends?.folds ?? [],
    });
  }
  const plan = { ...page, columns: grid.columns, rows: grid.rows, perSheet: slots.length, bleed: grid.bleed };
  const done = (sheets: readonly Sheet[], papers: number): SheetPlan => ({
    ...plan,
    sheets,
    papers,
    cards: all.length,
  });
  if (fold && grid.fold) {
    const { fold: line } = grid;
    return done(
      fronts.map((sheet) => folded(sheet, grid, line, settings, page)),
      fronts.length,
    );
  }
  if (mode === 'separate' && backs) {
    // Backs have no fronts to match: no shift, and marks of their own.
    const behindEach = fronts.map((sheet): Sheet => {
      const placements = sheet.placements.map((front): Placement => ({ ...front, side: 'back' }));
      return { ...sheet, side: 'back', placements };
    });
    return done([...fronts, ...behindEach], 2 * fronts.length);
  }
  if (mode === 'long-edge' || mode === 'short-edge') {
    if (!backs && !blankBacks) return done(fronts, fronts.length);
    const mirror = flipLine(page, mode);
    const sheets = fronts.flatMap((sheet): Sheet[] => [
      sheet,
      backs
        ? // Who cuts goes by the fronts: marks on both sides would show a shift twice.
          {
            side: 'back',
            placements: backsOf(sheet, (front) => behind(front, grid, mirror), settings),
            marks: [],
            folds: [],
          }
        : { side: 'back', placements: [], marks: [], folds: [] },
    ]);
    return done(sheets, fronts.length);
  }
  return done(fronts, fronts.length);
}

/** Every slot of the grid for a front, row by row. */
function slotsOf(grid: Grid, turn: Turn): Placed[] {
  // The half above or left of a fold is for backs.
  const firstRow = grid.fold?.axis === 'level' ? grid.rows / 2 : 0;
  const columns = grid.fold?.axis === 'upright' ? grid.columns / 2 : grid.columns;
  const slots: Placed[] = [];
  for (let row = firstRow; row < grid.rows; row++) {
    for (let column = 0; column < columns; column++) {
      slots.push({ x: grid.left + column * grid.stepX, y: grid.top + row * grid.stepY, turn });
    }
  }
  return slots;
}

/** The backs of a sheet's fronts, each placed by `place` and shifted by the designer's nudge. */
function backsOf(sheet: Sheet, place: (front: Placed) => Placed, settings: PrintSettings): Placement[] {
  const { nudgeX, nudgeY } = settings.backs;
  return sheet.placements.map((front): Placement => {
    const { x, y, turn } = place(front);
    return { card: front.card, copy: front.copy, side: 'back', x: x + nudgeX, y: y + nudgeY, turn };
  });
}

function folded(
  sheet: Sheet,
  grid: Grid,
  line: Mirror,
  settings: PrintSettings,
  page: { w: number; h: number },
): Sheet {
  const place = (front: Placed): Placed => behind(front, grid, line);
  const placements = [...sheet.placements, ...backsOf(sheet, place, settings)];
  const corners = [...sheet.placements, ...sheet.placements.map(place)];
  const across: Line =
    line.axis === 'level'
      ? { x1: 0, y1: line.at, x2: page.w, y2: line.at }
      : { x1: line.at, y1: 0, x2: line.at, y2: page.h };
  return {
    side: 'both',
    placements,
    marks: cropMarks(corners, grid, settings.marks, page),
    folds: [across, ...sheet.folds],
  };
}

/** One card on each page, its back on the next. */
function singles(cards: CardSet, settings: PrintSettings): SheetPlan {
  const bleed = settings.bleed ? cards.bleed : 0;
  const { turn } = settings.page;
  const sideways = turn === 90 || turn === 270;
  const w = (sideways ? cards.size.h : cards.size.w) + 2 * bleed;
  const h = (sideways ? cards.size.w : cards.size.h) + 2 * bleed;
  const all = everyCopy(cards.copies);
  limitSheets(all.length, 1, 10 * MAX_SHEETS);
  const { mode } = settings.backs;
  const backs = cards.hasBacks && mode !== 'none';
  const nudged = mode === 'long-edge' || mode === 'short-edge';
  const nudgeX = nudged ? settings.backs.nudgeX : 0;
  const nudgeY = nudged ? settings.backs.nudgeY : 0;
  const sheets = all.flatMap(({ card, copy }): Sheet[] => {
    const one = (side: 'front' | 'back', dx: number, dy: number): Sheet => ({
      side,
      placements: [{ card, copy, side, x: bleed + dx, y: bleed + dy, turn }],
      marks: [],
      folds: [],
    });
    return backs ? [one('front', 0, 0), one('back', nudgeX, nudgeY)] : [one('front', 0, 0)];
  });
  return { w, h, columns: 1, rows: 1, perSheet: 1, bleed, sheets, papers: all.length, cards: all.length };
}
