import type { GlyphRun, Outline } from '../../core/scene/display/display-list.ts';
import { applyTo, type Matrix } from '../../core/scene/display/matrix.ts';
import { pathOf } from '../../core/scene/display/outline.ts';
import type { FontRegistry } from '../../core/text/fonts/font-registry.ts';
import { type GlyphCommand, glyphMatrix, glyphPath } from '../../core/text/fonts/glyph-path.ts';
import type { Contours } from './coverage.ts';

/** Line segments per curve. */
const CURVE_STEPS = 12;

/** Contours of an outline, moved by a matrix, with curves flattened. */
export function outlineContours(outline: Outline, matrix: Matrix): number[][] {
  return flatten(pathOf(outline) as readonly GlyphCommand[], matrix);
}

/** Contours of the letters of a run. */
export function runContours(run: GlyphRun, fonts: FontRegistry, matrix: (glyph: Matrix) => Matrix): Contours {
  const face = fonts.face(run.face);
  if (!face) return [];
  return run.words.flatMap((word) =>
    word.glyphs.flatMap((glyph, index) =>
      flatten(glyphPath(face, glyph), matrix(glyphMatrix(run, word, index))),
    ),
  );
}

function flatten(commands: readonly GlyphCommand[], matrix: Matrix): number[][] {
  const contours: number[][] = [];
  let current: number[] = [];
  let x = 0;
  let y = 0;
  const to = (px: number, py: number): void => {
    const point = applyTo(matrix, { x: px, y: py });
    current.push(point.x, point.y);
  };
  for (const command of commands) {
    if (command[0] === 'M') {
      current = [];
      contours.push(current);
    }
    if (command[0] === 'Z') continue;
    if (command[0] === 'Q') {
      const [, cx, cy, ex, ey] = command;
      curve(to, [
        x,
        y,
        x + (2 * (cx - x)) / 3,
        y + (2 * (cy - y)) / 3,
        ex + (2 * (cx - ex)) / 3,
        ey + (2 * (cy - ey)) / 3,
        ex,
        ey,
      ]);
    } else if (command[0] === 'C') {
      const [, ax, ay, bx, by, ex, ey] = command;
      curve(to, [x, y, ax, ay, bx, by, ex, ey]);
    } else to(command[1], command[2]);
    x = command.at(-2) as number;
    y = command.at(-1) as number;
  }
  return contours;
}

type Cubic = readonly [number, number, number, number, number, number, number, number];

function curve(to: (x: number, y: number) => void, [x0, y0, x1, y1, x2, y2, x3, y3]: Cubic): void {
  for (let step = 1; step <= CURVE_STEPS; step++) {
    const t = step / CURVE_STEPS;
    const s = 1 - t;
    const a = s * s * s;
    const b = 3 * s * s * t;
    const c = 3 * s * t * t;
    const d = t * t * t;
    to(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3);
  }
}
