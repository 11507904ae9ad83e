import type { Mm } from '../core/units.ts';

/**
 * Where cards go on sheets. Pure arithmetic in millimetres, origin at the page's top left corner.
 * Cards stand in a grid centred on the page, as many as fit; copies of a card follow one another.
 */
export interface PageSpec {
  readonly size: PageSize;
  readonly orientation: 'portrait' | 'landscape';
  /** Kept free of cards on every side; crop marks may reach into it. */
  readonly margin: Mm;
  /** Between neighbouring cards. */
  readonly gap: Mm;
}

export type PageSize = 'a4' | 'letter';

export interface MarksSpec {
  readonly kind: 'none' | 'crop';
  readonly length: Mm;
  /** From the card's edge to the mark. */
  readonly offset: Mm;
  readonly width: Mm;
}

export const PAGE_SIZES: Readonly<
  Record<PageSize, { readonly name: string; readonly w: Mm; readonly h: Mm }>
> = {
  a4: { name: 'A4', w: 210, h: 297 },
  letter: { name: 'Letter', w: 215.9, h: 279.4 },
};

/** Nine poker cards fit on A4 and on Letter with these. */
export const DEFAULT_PAGE: PageSpec = { size: 'a4', orientation: 'portrait', margin: 5, gap: 0 };
export const DEFAULT_MARKS: MarksSpec = { kind: 'crop', length: 3, offset: 1, width: 0.1 };

/** Most sheets of one plan: beyond it a copies column is surely wrong. */
export const MAX_SHEETS = 5_000;

export interface Placement {
  /** Index of the card in the list given. */
  readonly card: number;
  /** 0 for the first copy. */
  readonly copy: number;
  /** Trim's top left corner. */
  readonly x: Mm;
  readonly y: Mm;
}

export interface Line {
  readonly x1: Mm;
  readonly y1: Mm;
  readonly x2: Mm;
  readonly y2: Mm;
}

export interface Sheet {
  readonly placements: readonly Placement[];
  readonly marks: readonly Line[];
}

export interface SheetPlan {
  readonly w: Mm;
  readonly h: Mm;
  readonly columns: number;
  readonly rows: number;
  readonly sheets: readonly Sheet[];
}

/** Why cards cannot be put on sheets; the message is for the designer. */
export class ImpositionError extends Error {
  override readonly name = 'ImpositionError';
}

/** Room for rounding: 63.5 mm three times is a hair more than 190.5. */
const TOLERANCE_MM = 1e-6;

/**
 * @param copies how many of each card, in order; 0 leaves a card out
 * @throws ImpositionError when not one card fits, or the sheets would be too many
 */
export function impose(
  card: { readonly w: Mm; readonly h: Mm },
  copies: readonly number[],
  page: PageSpec,
  marks: MarksSpec,
): SheetPlan {
  const { w, h } = pageSize(page);
  const columns = fitting(w - 2 * page.margin, card.w, page.gap);
  const rows = fitting(h - 2 * page.margin, card.h, page.gap);
  if (columns === 0 || rows === 0) {
    throw new ImpositionError(
      `A card of ${show(card.w)} × ${show(card.h)} mm does not fit on ${PAGE_SIZES[page.size].name} ${page.orientation} with margins of ${show(page.margin)} mm: choose a larger page, the other orientation or smaller margins.`,
    );
  }
  const all = copies.flatMap((count, index) =>
    Array.from({ length: wholeCount(count) }, (_, copy) => ({ card: index, copy })),
  );
  const perSheet = columns * rows;
  const count = Math.ceil(all.length / perSheet);
  if (count > MAX_SHEETS) {
    throw new ImpositionError(
      `${all.length} cards would take ${count} sheets; the most is ${MAX_SHEETS}: check the copies.`,
    );
  }
  const left = (w - columns * card.w - (columns - 1) * page.gap) / 2;
  const top = (h - rows * card.h - (rows - 1) * page.gap) / 2;
  const sheets = Array.from({ length: count }, (_, sheet) => {
    const placements = all.slice(sheet * perSheet, (sheet + 1) * perSheet).map((item, slot) => ({
      ...item,
      x: left + (slot % columns) * (card.w + page.gap),
      y: top + Math.floor(slot / columns) * (card.h + page.gap),
    }));
    return { placements, marks: marks.kind === 'crop' ? cropMarks(placements, card, marks, { w, h }) : [] };
  });
  return { w, h, columns, rows, sheets };
}

export function pageSize({ size, orientation }: PageSpec): { w: Mm; h: Mm } {
  const { w, h } = PAGE_SIZES[size];
  return orientation === 'portrait' ? { w, h } : { w: h, h: w };
}

function fitting(room: number, side: number, gap: number): number {
  if (side <= 0) return 0;
  return Math.max(0, Math.floor((room + gap + TOLERANCE_MM) / (side + gap)));
}

const wholeCount = (count: number): number => (Number.isFinite(count) ? Math.max(0, Math.floor(count)) : 0);
const show = (value: number): string => String(Math.round(value * 100) / 100);

/**
 * Marks on the lines of every cut, outside the block of cards and, where a gap leaves room, between
 * cards; never on a card, never off the page.
 */
function cropMarks(
  placements: readonly Placement[],
  card: { readonly w: number; readonly h: number },
  marks: MarksSpec,
  page: { readonly w: number; readonly h: number },
): Line[] {
  const lines = new Map<string, Line>();
  const add = (x1: number, y1: number, x2: number, y2: number): void => {
    const line = {
      x1: clamp(x1, 0, page.w),
      y1: clamp(y1, 0, page.h),
      x2: clamp(x2, 0, page.w),
      y2: clamp(y2, 0, page.h),
    };
    const length = Math.abs(line.x2 - line.x1) + Math.abs(line.y2 - line.y1);
    if (length < 0.2 || placements.some((place) => crosses(line, place, card))) return;
    lines.set([line.x1, line.y1, line.x2, line.y2].map((value) => value.toFixed(3)).join(), line);
  };
  const { length, offset } = marks;
  for (const { x, y } of placements) {
    for (const cut of [x, x + card.w]) {
      add(cut, y - offset - length, cut, y - offset);
      add(cut, y + card.h + offset, cut, y + card.h + offset + length);
    }
    for (const cut of [y, y + card.h]) {
      add(x - offset - length, cut, x - offset, cut);
      add(x + card.w + offset, cut, x + card.w + offset + length, cut);
    }
  }
  return [...lines.values()];
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Whether any of a mark lies on a card; the mark's own cutting line is its edge. */
function crosses(line: Line, card: Placement, size: { readonly w: number; readonly h: number }): boolean {
  const slack = 1e-3;
  const apart =
    Math.max(line.x1, line.x2) < card.x - slack ||
    Math.min(line.x1, line.x2) > card.x + size.w + slack ||
    Math.max(line.y1, line.y2) < card.y + slack ||
    Math.min(line.y1, line.y2) > card.y + size.h - slack;
  const vertical = line.x1 === line.x2;
  if (vertical) return !apart;
  return !(
    Math.max(line.x1, line.x2) < card.x + slack ||
    Math.min(line.x1, line.x2) > card.x + size.w - slack ||
    line.y1 < card.y - slack ||
    line.y1 > card.y + size.h + slack
  );
}
