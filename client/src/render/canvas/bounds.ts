import type { GlyphRun, Op } from '../../core/scene/display/display-list.ts';
import {
  applyTo,
  IDENTITY,
  type Matrix,
  multiply,
  type Rect,
  scaleOf,
} from '../../core/scene/display/matrix.ts';
import { boundsOf } from '../../core/scene/display/outline.ts';

/** Bounds of the area that operations paint. */

/** Deviations of a blur beyond which nothing of it is seen. */
const BLUR_REACH = 3;

export function intersect(a: Rect, b: Rect): Rect {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return {
    x,
    y,
    w: Math.max(0, Math.min(a.x + a.w, b.x + b.w) - x),
    h: Math.max(0, Math.min(a.y + a.h, b.y + b.h) - y),
  };
}

export function outset(box: Rect, by: number): Rect {
  return { x: box.x - by, y: box.y - by, w: box.w + 2 * by, h: box.h + 2 * by };
}

/** The axis-aligned box around a transformed box. */
export function boxUnder(matrix: Matrix, { x, y, w, h }: Rect): Rect {
  const corners = [
    applyTo(matrix, { x, y }),
    applyTo(matrix, { x: x + w, y }),
    applyTo(matrix, { x, y: y + h }),
    applyTo(matrix, { x: x + w, y: y + h }),
  ];
  const left = Math.min(...corners.map((corner) => corner.x));
  const top = Math.min(...corners.map((corner) => corner.y));
  return {
    x: left,
    y: top,
    w: Math.max(...corners.map((corner) => corner.x)) - left,
    h: Math.max(...corners.map((corner) => corner.y)) - top,
  };
}

/** A box that contains all letters of the runs. */
export function boundsOfRuns(runs: readonly GlyphRun[]): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const run of runs) {
    for (const word of run.words) {
      if (word.y !== undefined) {
        const reach = 1.5 * run.size + word.width;
        left = Math.min(left, word.x - reach);
        right = Math.max(right, word.x + reach);
        top = Math.min(top, word.y - reach);
        bottom = Math.max(bottom, word.y + reach);
        continue;
      }
      left = Math.min(left, word.x - run.size * 0.4);
      right = Math.max(right, word.x + word.width + run.size * 0.4);
      top = Math.min(top, run.y - run.size * 1.3);
      bottom = Math.max(bottom, run.y + run.size * 0.6);
    }
  }
  if (left > right) return { x: 0, y: 0, w: 0, h: 0 };
  return { x: left, y: top, w: right - left, h: bottom - top };
}

/**
 * The distance that filters look beyond what they paint, in the operations' millimetres: a part is painted right only
 * with as much around it.
 */
export function reachOfFilters(ops: readonly Op[]): number {
  const open: { readonly scale: number; readonly reach: number }[] = [];
  let [scale, reach, most] = [1, 0, 0];
  for (const op of ops) {
    if (op.op === 'push') {
      open.push({ scale, reach });
      scale *= scaleOf(op.matrix);
      for (const { kind, amount } of op.filters ?? []) {
        if (kind === 'blur') reach += BLUR_REACH * Math.max(0, amount) * scale;
      }
      most = Math.max(most, reach);
    } else if (op.op === 'pop') ({ scale, reach } = open.pop() ?? { scale: 1, reach: 0 });
  }
  return most;
}

/** The box around everything that operations paint, in their own coordinates; no area for none. */
export function boundsOfOps(ops: readonly Op[]): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const matrices: Matrix[] = [];
  const margins: number[] = [];
  let matrix = IDENTITY;
  let margin = 0;
  const add = (box: Rect): void => {
    if (box.w < 0 || box.h < 0) return;
    const placed = outset(boxUnder(matrix, box), margin);
    left = Math.min(left, placed.x);
    top = Math.min(top, placed.y);
    right = Math.max(right, placed.x + placed.w);
    bottom = Math.max(bottom, placed.y + placed.h);
  };
  for (const op of ops) {
    switch (op.op) {
      case 'push':
        matrices.push(matrix);
        margins.push(margin);
        matrix = multiply(matrix, op.matrix);
        for (const { kind, amount } of op.filters ?? [])
          if (kind === 'blur') margin += BLUR_REACH * Math.max(0, amount);
        break;
      case 'pop':
        matrix = matrices.pop() ?? IDENTITY;
        margin = margins.pop() ?? 0;
        break;
      case 'path':
        // A mitre reaches up to four times the half of its line's width.
        add(outset(boundsOf(op.outline), op.stroke ? 2 * op.stroke.width : 0));
        break;
      case 'stamp': {
        const { x, y, w, h } = outset(boundsOf(op.outline), op.stroke ? 2 * op.stroke.width : 0);
        for (let at = 0; at + 1 < op.at.length; at += 2)
          add({ x: x + (op.at[at] ?? 0), y: y + (op.at[at + 1] ?? 0), w, h });
        break;
      }
      case 'shadow':
        add(outset(boundsOf(op.outline), 3 * op.sigma));
        break;
      case 'image':
        add(op.clip ? intersect(op.box, boundsOf(op.clip)) : op.box);
        break;
      case 'text': {
        const box = boundsOfRuns(op.runs);
        add(outset(box, op.outline?.width ?? 0));
        for (const { dx, dy, sigma } of op.shadows)
          add(outset({ ...box, x: box.x + dx, y: box.y + dy }, 3 * sigma));
      }
    }
  }
  return left > right ? { x: 0, y: 0, w: 0, h: 0 } : { x: left, y: top, w: right - left, h: bottom - top };
}
