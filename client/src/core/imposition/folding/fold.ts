import type { Rect } from '../../scene/display/matrix.ts';
import type { BoardsSpec } from '../settings.ts';
import type { Line } from '../sheets/marks.ts';

/**
 * Boards that fold: two, four or six panels. Two rows of panels are joined along the whole line between them; across
 * it, one row is joined and the other is slit, so that the board folds flat.
 */

/** A line of a board, in millimetres from its trim's top left corner. */
export interface FoldLine extends Line {
  /** `slit`: cut through. */
  readonly kind: 'fold' | 'slit';
}

type Size = { readonly w: number; readonly h: number };
/** Number of panels; `none` is a board in one piece. */
export type FoldKind = BoardsSpec['fold'];

/** Panels along the longer side, and along the shorter. */
const PANELS: Readonly<Record<FoldKind, readonly [number, number]>> = {
  none: [1, 1],
  two: [2, 1],
  four: [2, 2],
  six: [3, 2],
};

function gridOf(kind: FoldKind, { w, h }: Size): { columns: number; rows: number } {
  const [along, across] = PANELS[kind];
  return w >= h ? { columns: along, rows: across } : { columns: across, rows: along };
}

/** The panels of a board, row by row; the whole board when it does not fold. */
export function panelsOf(kind: FoldKind, size: Size): Rect[] {
  const { columns, rows } = gridOf(kind, size);
  const [w, h] = [size.w / columns, size.h / rows];
  return Array.from({ length: columns * rows }, (_, index) => ({
    x: (index % columns) * w,
    y: Math.floor(index / columns) * h,
    w,
    h,
  }));
}

/** Folds and slits of a board's face, each as long as one panel. */
export function foldLines(kind: FoldKind, size: Size): FoldLine[] {
  const { columns, rows } = gridOf(kind, size);
  const [w, h] = [size.w / columns, size.h / rows];
  const wide = size.w >= size.h;
  const lines: FoldLine[] = [];
  for (let column = 1; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      const slit = wide && rows > 1 && row === rows - 1;
      const at = column * w;
      lines.push({ kind: slit ? 'slit' : 'fold', x1: at, y1: row * h, x2: at, y2: (row + 1) * h });
    }
  }
  for (let row = 1; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const slit = !wide && columns > 1 && column === columns - 1;
      const at = row * h;
      lines.push({ kind: slit ? 'slit' : 'fold', x1: column * w, y1: at, x2: (column + 1) * w, y2: at });
    }
  }
  return lines;
}

/** The same lines seen from the back. */
export function seenFromBack(lines: readonly FoldLine[], { w }: Size): FoldLine[] {
  return lines.map((line) => ({ ...line, x1: w - line.x1, x2: w - line.x2 }));
}
