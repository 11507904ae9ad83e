import type { MarksSpec, Turn } from '../settings.ts';
import type { Grid } from '../sheets/grid.ts';
import { type Line, Lines, touches } from '../sheets/marks.ts';
import type { Placed } from '../sheets/reflect.ts';
import { type FoldKind, type FoldLine, foldLines } from './fold.ts';

/** Marks beside boards that fold and fit on a page whole: dashed for folds, solid for slits, never on a board. */

/** Nearer than this, a line reaches an edge. */
const SAME_MM = 1e-6;

/**
 * @param size of a board, upright
 * @param boards as they lie on the sheet
 */
export function foldMarks(
  kind: FoldKind,
  size: { readonly w: number; readonly h: number },
  boards: readonly Placed[],
  grid: Grid,
  marks: MarksSpec,
  page: { readonly w: number; readonly h: number },
): { slits: Line[]; folds: Line[] } {
  const slits = new Lines(page);
  const folds = new Lines(page);
  const free = (line: Line): boolean => !boards.some((board) => touches(line, board, grid));
  if (marks.kind !== 'none') {
    const near = grid.bleed + marks.offset;
    for (const bend of foldLines(kind, size)) {
      for (const tick of ticks(bend, size, near, near + marks.length)) {
        for (const board of boards) {
          const [x1, y1] = lying(tick.x1, tick.y1, size, board.turn);
          const [x2, y2] = lying(tick.x2, tick.y2, size, board.turn);
          const on = bend.kind === 'slit' ? slits : folds;
          on.add(board.x + x1, board.y + y1, board.x + x2, board.y + y2, free);
        }
      }
    }
  }
  return { slits: slits.list(), folds: folds.list() };
}

/** A mark outside each edge that a line reaches. */
function ticks(
  { x1, y1, x2, y2 }: FoldLine,
  { w, h }: { w: number; h: number },
  near: number,
  far: number,
): Line[] {
  if (x1 === x2) {
    return [
      ...(y1 === 0 ? [{ x1, y1: -far, x2: x1, y2: -near }] : []),
      ...(Math.abs(y2 - h) < SAME_MM ? [{ x1, y1: h + near, x2: x1, y2: h + far }] : []),
    ];
  }
  return [
    ...(x1 === 0 ? [{ x1: -far, y1, x2: -near, y2: y1 }] : []),
    ...(Math.abs(x2 - w) < SAME_MM ? [{ x1: w + near, y1, x2: w + far, y2: y1 }] : []),
  ];
}

/** A point of an upright board on the turned one, from its top left corner as it lies. */
function lying(x: number, y: number, { w, h }: { w: number; h: number }, turn: Turn): [number, number] {
  switch (turn) {
    case 0:
      return [x, y];
    case 90:
      return [h - y, x];
    case 180:
      return [w - x, h - y];
    case 270:
      return [y, w - x];
  }
}
