import { ImpositionError } from '../error.ts';
import type { Line } from '../sheets/marks.ts';
import { flipLine } from '../sheets/reflect.ts';

/** A booklet: sheets printed on both sides, folded in the middle and put into one another. Lengths in millimetres. */
export interface BookletSettings {
  /** Size of a finished page; a sheet is twice as wide. */
  readonly page: { readonly w: number; readonly h: number };
  /** Sheets folded together; 0 puts all into one signature, stapled through the fold. */
  readonly signatureSheets: number;
  /** Thickness of a sheet: inner sheets reach further out, so their pages move towards the fold. */
  readonly thickness: number;
  readonly flip: 'long-edge' | 'short-edge';
}

/** A page on a side of a sheet. */
export interface BookletPage {
  /** From 1; null for a blank page. */
  readonly page: number | null;
  /** Top left corner of its half, moved by the creep. */
  readonly x: number;
  readonly y: number;
  readonly turn: 0 | 180;
}

export interface BookletSheet {
  /** From 0. */
  readonly signature: number;
  /** From 0, the outermost. */
  readonly sheet: number;
  readonly front: readonly [left: BookletPage, right: BookletPage];
  readonly back: readonly [left: BookletPage, right: BookletPage];
  readonly fold: Line;
  /** Places of staples on the outermost sheet of a booklet of one signature; empty elsewhere. */
  readonly staples: readonly Line[];
}

export interface Booklet {
  /** Size of a flat sheet. */
  readonly w: number;
  readonly h: number;
  readonly sheets: readonly BookletSheet[];
  /** Numbers of the blank pages added at the end to fill the last sheet. */
  readonly blanks: readonly number[];
}

/** Most pages of one booklet. */
export const MAX_BOOKLET_PAGES = 2_000;
const PAGES_PER_SHEET = 4;
const STAPLE_MM = 12;

/** @throws ImpositionError when there are no pages, too many, or settings that make no sheet */
export function booklet(pages: number, settings: BookletSettings): Booklet {
  check(pages, settings);
  const { page, signatureSheets, flip } = settings;
  const total = Math.ceil(pages / PAGES_PER_SHEET);
  const perSignature = signatureSheets === 0 ? total : signatureSheets;
  const size = { w: 2 * page.w, h: page.h };
  const turned = flipLine(size, flip).axis === 'level';
  const sheets = Array.from({ length: total }, (_, index): BookletSheet => {
    const signature = Math.floor(index / perSignature);
    const before = signature * perSignature;
    const count = PAGES_PER_SHEET * Math.min(perSignature, total - before);
    const sheet = index - before;
    const number = (inSignature: number): number | null => {
      const found = PAGES_PER_SHEET * before + inSignature;
      return found <= pages ? found : null;
    };
    const creep = sheet * settings.thickness;
    const place = (left: number, right: number, turn: 0 | 180): [BookletPage, BookletPage] => [
      { page: number(turn ? right : left), x: creep, y: 0, turn },
      { page: number(turn ? left : right), x: page.w - creep, y: 0, turn },
    ];
    const stapled = perSignature >= total && sheet === 0;
    return {
      signature,
      sheet,
      front: place(count - 2 * sheet, 1 + 2 * sheet, 0),
      // Turned over about a level line the back would stand on its head.
      back: place(2 + 2 * sheet, count - 1 - 2 * sheet, turned ? 180 : 0),
      fold: { x1: page.w, y1: 0, x2: page.w, y2: page.h },
      staples: stapled ? staplesOf(page) : [],
    };
  });
  const blanks = Array.from({ length: total * PAGES_PER_SHEET - pages }, (_, at) => pages + 1 + at);
  return { ...size, sheets, blanks };
}

/** Two staples along the fold, at a quarter of its length from either end. */
function staplesOf({ w, h }: BookletSettings['page']): Line[] {
  const half = Math.min(STAPLE_MM, h / 4) / 2;
  return [h / 4, (3 * h) / 4].map((y) => ({ x1: w, y1: y - half, x2: w, y2: y + half }));
}

function check(pages: number, { page, signatureSheets, thickness }: BookletSettings): void {
  if (!Number.isInteger(pages) || pages < 1 || pages > MAX_BOOKLET_PAGES) {
    throw new ImpositionError(`A booklet has 1 to ${MAX_BOOKLET_PAGES} pages, not ${pages}.`);
  }
  if (!Number.isInteger(signatureSheets) || signatureSheets < 0) {
    throw new ImpositionError('A signature has a whole number of sheets; 0 puts all into one.');
  }
  const deepest = signatureSheets === 0 ? Math.ceil(pages / PAGES_PER_SHEET) : signatureSheets;
  if (!(thickness >= 0) || (deepest - 1) * thickness >= page.w / 2) {
    throw new ImpositionError(
      'The paper is too thick for so many sheets in one fold: use smaller signatures.',
    );
  }
}

/** A page of a zine: where it lies on the one printed side of its sheet, four columns and two rows. */
export interface ZinePage {
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly turn: 0 | 180;
}

const ZINE_HEAD_DOWN = [5, 4, 3, 2];
const ZINE_UPRIGHT = [6, 7, 8, 1];

/** Eight pages on one side of a sheet, which is slit in its middle and folded into a booklet. */
export function zine(page: { readonly w: number; readonly h: number }): {
  readonly pages: readonly ZinePage[];
  readonly folds: readonly Line[];
  readonly slit: Line;
} {
  const { w, h } = page;
  const row = (numbers: readonly number[], y: number, turn: 0 | 180): ZinePage[] =>
    numbers.map((number, column) => ({ page: number, x: column * w, y, turn }));
  const level = (from: number, to: number): Line => ({ x1: from * w, y1: h, x2: to * w, y2: h });
  return {
    pages: [...row(ZINE_HEAD_DOWN, 0, 180), ...row(ZINE_UPRIGHT, h, 0)],
    folds: [1, 2, 3]
      .map((at): Line => ({ x1: at * w, y1: 0, x2: at * w, y2: 2 * h }))
      .concat(level(0, 1), level(3, 4)),
    slit: level(1, 3),
  };
}
