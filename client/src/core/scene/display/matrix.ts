/**
 * Plane transforms and points. A matrix is `[a, b, c, d, e, f]` as in canvas and PDF:
 * x' = a x + c y + e, y' = b x + d y + f, with y pointing down.
 */
export type Matrix = readonly [number, number, number, number, number, number];

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, t, u] = inner;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

export const translation = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y];

export function isIdentity(m: Matrix): boolean {
  return m[0] === 1 && m[1] === 0 && m[2] === 0 && m[3] === 1 && m[4] === 0 && m[5] === 0;
}

export function applyTo(m: Matrix, p: Point): Point {
  return { x: m[0] * p.x + m[2] * p.y + m[4], y: m[1] * p.x + m[3] * p.y + m[5] };
}

/** The inverse, or undefined where the matrix flattens the plane. */
export function invert(m: Matrix): Matrix | undefined {
  const [a, b, c, d, e, f] = m;
  const det = a * d - b * c;
  if (Math.abs(det) < 1e-12) return undefined;
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det];
}

/** Clockwise rotation in degrees and mirroring about the centre of a box. */
export function aboutCentre(box: Rect, rotation: number, flipX: boolean, flipY: boolean): Matrix {
  const cx = box.x + box.w / 2;
  const cy = box.y + box.h / 2;
  // Right angles exactly: sin(pi) is not 0 in floating point.
  const turn = (((rotation % 360) + 360) % 360) as number;
  const radians = (turn * Math.PI) / 180;
  const cos = turn === 90 || turn === 270 ? 0 : turn === 180 ? -1 : Math.cos(radians);
  const sin = turn === 0 || turn === 180 ? 0 : turn === 90 ? 1 : turn === 270 ? -1 : Math.sin(radians);
  const sx = flipX ? -1 : 1;
  const sy = flipY ? -1 : 1;
  const spun: Matrix = [cos * sx, sin * sx, -sin * sy, cos * sy, 0, 0];
  return multiply(multiply(translation(cx, cy), spun), translation(-cx, -cy));
}

/** Length along the x axis that one unit becomes. */
export const scaleOf = ([a, b]: Matrix): number => Math.hypot(a, b);
