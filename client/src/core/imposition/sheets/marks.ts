import type { MarksSpec } from '../settings.ts';
import type { Grid } from './grid.ts';

/** A cutting line. */
export interface Line {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** Shortest useful mark, in millimetres. */
const SHORTEST_MM = 0.2;

/**
 * @param corners top left corners of the cards on the sheet
 */
export function cropMarks(
  corners: readonly Corner[],
  grid: Grid,
  marks: MarksSpec,
  page: { readonly w: number; readonly h: number },
): Line[] {
  switch (marks.kind) {
    case 'none':
      return [];
    case 'corner':
      return cornerMarks(corners, grid, marks, page);
    case 'full':
      return fullLines(corners, grid, page);
    case 'cross':
      return crosses(corners, grid, marks, page);
  }
}

/** Collects lines, each once, clipped to the page. */
export class Lines {
  readonly #lines = new Map<string, Line>();
  readonly #page: { readonly w: number; readonly h: number };

  constructor(page: { readonly w: number; readonly h: number }) {
    this.#page = page;
  }

  add(x1: number, y1: number, x2: number, y2: number, allowed: (line: Line) => boolean = () => true): void {
    const line = {
      x1: clamp(x1, this.#page.w),
      y1: clamp(y1, this.#page.h),
      x2: clamp(x2, this.#page.w),
      y2: clamp(y2, this.#page.h),
    };
    const length = Math.abs(line.x2 - line.x1) + Math.abs(line.y2 - line.y1);
    if (length < SHORTEST_MM || !allowed(line)) return;
    this.#lines.set([line.x1, line.y1, line.x2, line.y2].map((value) => value.toFixed(3)).join(), line);
  }

  list(): Line[] {
    return [...this.#lines.values()];
  }
}

/**
 * Marks along the lines of every cut, outside the block of cards and, where a gap leaves room, between cards; never on
 * a card or its bleed.
 */
function cornerMarks(
  corners: readonly Corner[],
  grid: Grid,
  { length, offset }: MarksSpec,
  page: { readonly w: number; readonly h: number },
): Line[] {
  const lines = new Lines(page);
  const free = (line: Line): boolean => !corners.some((corner) => touches(line, corner, grid));
  const near = grid.bleed + offset;
  for (const { x, y } of corners) {
    for (const cut of [x, x + grid.w]) {
      lines.add(cut, y - near - length, cut, y - near, free);
      lines.add(cut, y + grid.h + near, cut, y + grid.h + near + length, free);
    }
    for (const cut of [y, y + grid.h]) {
      lines.add(x - near - length, cut, x - near, cut, free);
      lines.add(x + grid.w + near, cut, x + grid.w + near + length, cut, free);
    }
  }
  return lines.list();
}

function fullLines(
  corners: readonly Corner[],
  grid: Grid,
  page: { readonly w: number; readonly h: number },
): Line[] {
  const lines = new Lines(page);
  for (const { x, y } of corners) {
    for (const cut of [x, x + grid.w]) lines.add(cut, 0, cut, page.h);
    for (const cut of [y, y + grid.h]) lines.add(0, cut, page.w, cut);
  }
  return lines.list();
}

function crosses(
  corners: readonly Corner[],
  grid: Grid,
  { length }: MarksSpec,
  page: { readonly w: number; readonly h: number },
): Line[] {
  const lines = new Lines(page);
  const arm = length / 2;
  for (const { x, y } of corners) {
    for (const cx of [x, x + grid.w]) {
      for (const cy of [y, y + grid.h]) {
        lines.add(cx - arm, cy, cx + arm, cy);
        lines.add(cx, cy - arm, cx, cy + arm);
      }
    }
  }
  return lines.list();
}

function clamp(value: number, high: number): number {
  return Math.min(high, Math.max(0, value));
}

/** True if any of a mark lies on a card or its bleed; a mark on the very edge of a cut does not. */
export function touches(line: Line, card: Corner, { w, h, bleed }: Pick<Grid, 'w' | 'h' | 'bleed'>): boolean {
  const slack = 1e-3;
  const [left, right] = [card.x - bleed, card.x + w + bleed];
  const [top, bottom] = [card.y - bleed, card.y + h + bleed];
  const overlapsX = (inset: number): boolean =>
    Math.max(line.x1, line.x2) > left + inset && Math.min(line.x1, line.x2) < right - inset;
  const overlapsY = (inset: number): boolean =>
    Math.max(line.y1, line.y2) > top + inset && Math.min(line.y1, line.y2) < bottom - inset;
  // Along the mark overlapping counts; across it, lying on the edge counts too.
  return line.x1 === line.x2 ? overlapsX(-slack) && overlapsY(slack) : overlapsX(slack) && overlapsY(-slack);
}
