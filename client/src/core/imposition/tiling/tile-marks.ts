import type { Rect } from '../../scene/display/matrix.ts';
import type { MarksSpec } from '../settings.ts';
import { type Line, Lines } from '../sheets/marks.ts';
import type { Edge, Tile } from './tile.ts';

/** Lines of a tile on its page: solid where to cut, dashed where to fold or to lay the next page. */
export interface TileLines {
  readonly marks: readonly Line[];
  readonly folds: readonly Line[];
}

/** Less paper than this beyond an edge is rounding. */
const LEAST_MM = 1e-3;

/** A line across the whole tile at one of its cuts. */
interface Cut {
  readonly at: number;
  readonly dashed: boolean;
}

/** Longest arm of a cross in a shared strip. */
const ARM_MM = 4;
/** Share of a tile's shorter side that an arm takes at most. */
const MOST_SHARE = 0.2;
/** Places of the crosses along a seam, in shares of it. */
const CROSSES_AT = [0.25, 0.75];

/**
 * @param left,top of the tile's window on the page
 * @param crosses draws crosses on the seams, which come to lie on one another
 */
export function tileLines(
  tile: Tile,
  left: number,
  top: number,
  { marks, crosses }: { readonly marks: MarksSpec; readonly crosses: boolean },
  page: { readonly w: number; readonly h: number },
): TileLines {
  const { window, keep, tabs, edges } = tile;
  const solid = new Lines(page);
  const dashed = new Lines(page);
  const block: Rect = { x: left, y: top, w: window.w + tabs.right, h: window.h + tabs.bottom };
  const [dx, dy] = [left - window.x, top - window.y];
  // The left and upper edges are cut and laid on the page before.
  const xs: Cut[] = [
    { at: keep.x + dx, dashed: false },
    { at: keep.x + keep.w + dx, dashed: goesOn(edges.right, block.x + block.w - (keep.x + keep.w + dx)) },
  ];
  const ys: Cut[] = [
    { at: keep.y + dy, dashed: false },
    { at: keep.y + keep.h + dy, dashed: goesOn(edges.bottom, block.y + block.h - (keep.y + keep.h + dy)) },
  ];
  const on = (cut: Cut): Lines => (cut.dashed ? dashed : solid);
  for (const cut of xs) {
    for (const [from, to] of reaches(marks, block.y, block.y + block.h, ys, page.h)) {
      on(cut).add(cut.at, from, cut.at, to);
    }
  }
  for (const cut of ys) {
    for (const [from, to] of reaches(marks, block.x, block.x + block.w, xs, page.w)) {
      on(cut).add(from, cut.at, to, cut.at);
    }
  }
  for (const line of crosses ? seamCrosses(tile) : [])
    solid.add(line.x1 + dx, line.y1 + dy, line.x2 + dx, line.y2 + dy);
  for (const line of tabOutlines(window, tabs, left, top)) solid.add(line.x1, line.y1, line.x2, line.y2);
  return { marks: solid.list(), folds: dashed.list() };
}

/**
 * Crosses on the seams of a tile, on the card. Both pages show the same part of it there, so theirs meet; each page ends in
 * the middle of them, and what is left of the upper one goes on in the lower one.
 */
function seamCrosses({ window, keep, edges }: Tile): Line[] {
  const lines: Line[] = [];
  const [right, bottom] = [keep.x + keep.w, keep.y + keep.h];
  // Into the page a cross is as long as it may be, beyond the seam as long as there is picture. `out` is -1 or 1.
  const upright: [Edge, number, number, number][] = [
    [edges.left, keep.x, keep.x - window.x, -1],
    [edges.right, right, window.x + window.w - right, 1],
  ];
  const level: [Edge, number, number, number][] = [
    [edges.top, keep.y, keep.y - window.y, -1],
    [edges.bottom, bottom, window.y + window.h - bottom, 1],
  ];
  const arm = Math.min(ARM_MM, Math.min(keep.w, keep.h) * MOST_SHARE);
  for (const share of CROSSES_AT) {
    const [x, y] = [keep.x + share * keep.w, keep.y + share * keep.h];
    for (const [edge, at, shared, out] of upright) {
      if (!goesOn(edge, shared)) continue;
      lines.push({ x1: at - out * arm, y1: y, x2: at + out * Math.min(arm, shared), y2: y });
      lines.push({ x1: at, y1: y - arm, x2: at, y2: y + arm });
    }
    for (const [edge, at, shared, out] of level) {
      if (!goesOn(edge, shared)) continue;
      lines.push({ x1: x - arm, y1: at, x2: x + arm, y2: at });
      lines.push({ x1: x, y1: at - out * arm, x2: x, y2: at + out * Math.min(arm, shared) });
    }
  }
  return lines;
}

/** True if paper beyond the edge stays: the next page is laid on it, or it bends there. */
const goesOn = (edge: Edge, beyond: number): boolean =>
  (edge === 'seam' || edge === 'fold') && beyond > LEAST_MM;

/** The stretches of a mark's line that are drawn. @param across cuts in the other direction */
function reaches(
  { kind, length, offset }: MarksSpec,
  from: number,
  to: number,
  across: readonly Cut[],
  page: number,
): [number, number][] {
  switch (kind) {
    case 'none':
      return [];
    case 'corner':
      return [
        [from - offset - length, from - offset],
        [to + offset, to + offset + length],
      ];
    case 'full':
      return [[0, page]];
    case 'cross':
      return across.map(({ at }) => [at - length / 2, at + length / 2]);
  }
}

/** Tabs with slanted ends, which do not show beside the page that is glued on. */
function tabOutlines(window: Rect, tabs: Tile['tabs'], left: number, top: number): Line[] {
  const lines: Line[] = [];
  const [right, bottom] = [left + window.w, top + window.h];
  if (tabs.right > 0) {
    const slant = Math.min(tabs.right, window.h / 4);
    const end = right + tabs.right;
    lines.push(
      { x1: right, y1: top, x2: end, y2: top + slant },
      { x1: end, y1: top + slant, x2: end, y2: bottom - slant },
      { x1: end, y1: bottom - slant, x2: right, y2: bottom },
    );
  }
  if (tabs.bottom > 0) {
    const slant = Math.min(tabs.bottom, window.w / 4);
    const end = bottom + tabs.bottom;
    lines.push(
      { x1: left, y1: bottom, x2: left + slant, y2: end },
      { x1: left + slant, y1: end, x2: right - slant, y2: end },
      { x1: right - slant, y1: end, x2: right, y2: bottom },
    );
  }
  return lines;
}
