import { ImpositionError } from '../error.ts';
import { type PageSpec, type PrintSettings, pageName, pageSize } from '../settings.ts';
import { RULER_ROOM_MM } from './page-marks.ts';
import type { Mirror } from './reflect.ts';

/** The grid that cards stand in: how many, how far apart, from where. */
export interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly left: number;
  readonly top: number;
  /** From one card's edge to the same edge of the next. */
  readonly stepX: number;
  readonly stepY: number;
  /** Of a card as it lies on the sheet. */
  readonly w: number;
  readonly h: number;
  /** Bleed printed around each card. */
  readonly bleed: number;
  /** The line to fold at, when backs are folded over. */
  readonly fold: Mirror | null;
}

/** Trim and bleed, upright. */
interface Card {
  readonly w: number;
  readonly h: number;
  readonly bleed: number;
}

/** Room for rounding: 63.5 mm three times is a hair more than 190.5. */
const TOLERANCE_MM = 1e-6;

/**
 * @param card trim and bleed, upright
 * @throws ImpositionError when not one card fits, or not as many as asked for
 */
export function gridOf(card: Card, settings: PrintSettings, folded: boolean): Grid {
  const { page } = settings;
  const { w, h, bleed, gapX, gapY, margins, roomX, roomY, most } = roomFor(card, settings);
  if (most.columns === 0 || most.rows === 0) throw new ImpositionError(tooLarge(w, h, bleed, page));
  let columns = wanted(page.columns, most.columns, 'columns', page);
  let rows = wanted(page.rows, most.rows, 'rows', page);
  let axis: Mirror['axis'] | null = null;
  if (folded) {
    const even = { columns: columns - (columns % 2), rows: rows - (rows % 2) };
    if (even.columns === 0 && even.rows === 0) {
      throw new ImpositionError(
        `Folding needs room for a card and its back side by side on ${pageName(page)} ${page.orientation}: choose a larger page, the other orientation or smaller margins.`,
      );
    }
    axis = even.rows * columns >= even.columns * rows ? 'level' : 'upright';
    if (axis === 'level') rows = even.rows;
    else columns = even.columns;
  }
  const width = columns * w + (columns - 1) * gapX;
  const height = rows * h + (rows - 1) * gapY;
  const left = margins.left + (roomX - width) / 2;
  const top = margins.top + (roomY - height) / 2;
  const fold: Mirror | null =
    axis === null ? null : axis === 'level' ? { axis, at: top + height / 2 } : { axis, at: left + width / 2 };
  return { columns, rows, left, top, stepX: w + gapX, stepY: h + gapY, w, h, bleed, fold };
}

/** True if at least one card fits on the page. */
export function fitsOnPage(card: Card, settings: PrintSettings): boolean {
  const { most } = roomFor(card, settings);
  return most.columns > 0 && most.rows > 0;
}

/** The card as it lies, the page's room for cards, and the most that fit. */
function roomFor(card: Card, settings: PrintSettings) {
  const { page } = settings;
  const sideways = page.turn === 90 || page.turn === 270;
  const w = sideways ? card.h : card.w;
  const h = sideways ? card.w : card.h;
  const bleed = settings.bleed ? card.bleed : 0;
  const gapX = Math.max(page.gapX, 2 * bleed);
  const gapY = Math.max(page.gapY, 2 * bleed);
  const sheet = pageSize(page);
  const margins = marginsOf(settings);
  const roomX = sheet.w - margins.left - margins.right;
  const roomY = sheet.h - margins.top - margins.bottom;
  const most = {
    columns: w > 0 ? fitting(roomX - 2 * bleed, w, gapX) : 0,
    rows: h > 0 ? fitting(roomY - 2 * bleed, h, gapY) : 0,
  };
  return { w, h, bleed, gapX, gapY, margins, roomX, roomY, most };
}

/** The margins with room for the ruler. */
export function marginsOf({ page, ruler }: PrintSettings): PageSpec['margins'] {
  return ruler ? { ...page.margins, bottom: Math.max(page.margins.bottom, RULER_ROOM_MM) } : page.margins;
}

function fitting(room: number, side: number, gap: number): number {
  return Math.max(0, Math.floor((room + gap + TOLERANCE_MM) / (side + gap)));
}

function wanted(asked: number, most: number, what: 'columns' | 'rows', page: PageSpec): number {
  if (asked === 0) return most;
  if (asked <= most) return asked;
  throw new ImpositionError(
    `${asked} ${what} do not fit on ${pageName(page)} ${page.orientation}: at most ${most} do. Choose fewer, a larger page or smaller margins and gaps.`,
  );
}

function tooLarge(w: number, h: number, bleed: number, page: PageSpec): string {
  const size = `${show(w)} × ${show(h)} mm${bleed > 0 ? ` and ${show(bleed)} mm of bleed` : ''}`;
  return `A card of ${size} does not fit on ${pageName(page)} ${page.orientation} with these margins: choose a larger page, the other orientation or smaller margins, or let it go over several pages under Boards.`;
}

const show = (value: number): string => String(Math.round(value * 100) / 100);
