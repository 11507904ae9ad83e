import type { Radii } from '../style/paint.ts';
import type { Outline, PathCommand } from './display-list.ts';
import type { Point, Rect } from './matrix.ts';

export type { PathCommand } from './display-list.ts';

/** Outlines as paths, and their geometry for painters and pointers. */

/** Control distance that makes a cubic curve a quarter circle. */
const KAPPA = 0.5522847498307936;

export const NO_RADII: Radii = [0, 0, 0, 0];

export function rectOutline(box: Rect, radii: Radii = NO_RADII): Outline {
  return { kind: 'rect', box, radii: fitRadii(radii, box) };
}

/** Radii scaled down together until they fit the box, as CSS does. */
export function fitRadii(radii: Radii, box: Rect): Radii {
  const [tl, tr, br, bl] = radii as readonly [number, number, number, number];
  const sides: readonly (readonly [number, number])[] = [
    [box.w, tl + tr],
    [box.w, bl + br],
    [box.h, tl + bl],
    [box.h, tr + br],
  ];
  const factor = Math.min(1, ...sides.map(([side, sum]) => (sum > 0 ? side / sum : 1)));
  return factor === 1 ? radii : [tl * factor, tr * factor, br * factor, bl * factor];
}

/** A regular polygon, or with `inner` below 1 a star, in a box; the first corner is at the top. */
export function polygonPoints(box: Rect, corners: number, inner: number | null): Point[] {
  const count = inner === null ? corners : corners * 2;
  const unit = Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 2 * Math.PI - Math.PI / 2;
    const reach = inner !== null && index % 2 === 1 ? inner : 1;
    return { x: Math.cos(angle) * reach, y: Math.sin(angle) * reach };
  });
  // Stretched so that the shape touches all four sides of its box.
  const xs = unit.map(({ x }) => x);
  const ys = unit.map(({ y }) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return unit.map(({ x, y }) => ({
    x: box.x + ((x - left) / (right - left)) * box.w,
    y: box.y + ((y - top) / (bottom - top)) * box.h,
  }));
}

export function pathOf(outline: Outline): PathCommand[] {
  if (outline.kind === 'path') return [...outline.commands];
  if (outline.kind === 'polygon') return polygonPath(outline.points);
  const { x, y, w, h } = outline.box;
  if (outline.kind === 'ellipse') return roundPath(outline.box, w / 2, h / 2);
  const [tl, tr, br, bl] = outline.radii as readonly [number, number, number, number];
  if (tl === 0 && tr === 0 && br === 0 && bl === 0) {
    return [['M', x, y], ['L', x + w, y], ['L', x + w, y + h], ['L', x, y + h], ['Z']];
  }
  const c = 1 - KAPPA;
  return [
    ['M', x + tl, y],
    ['L', x + w - tr, y],
    ['C', x + w - tr * c, y, x + w, y + tr * c, x + w, y + tr],
    ['L', x + w, y + h - br],
    ['C', x + w, y + h - br * c, x + w - br * c, y + h, x + w - br, y + h],
    ['L', x + bl, y + h],
    ['C', x + bl * c, y + h, x, y + h - bl * c, x, y + h - bl],
    ['L', x, y + tl],
    ['C', x, y + tl * c, x + tl * c, y, x + tl, y],
    ['Z'],
  ];
}

function polygonPath(points: readonly Point[]): PathCommand[] {
  const commands = points.map(({ x, y }, index): PathCommand => [index === 0 ? 'M' : 'L', x, y]);
  return [...commands, ['Z']];
}

function roundPath({ x, y, w, h }: Rect, rx: number, ry: number): PathCommand[] {
  const kx = rx * KAPPA;
  const ky = ry * KAPPA;
  const cx = x + rx;
  const cy = y + ry;
  return [
    ['M', cx, y],
    ['C', cx + kx, y, x + w, cy - ky, x + w, cy],
    ['C', x + w, cy + ky, cx + kx, y + h, cx, y + h],
    ['C', cx - kx, y + h, x, cy + ky, x, cy],
    ['C', x, cy - ky, cx - kx, y, cx, y],
    ['Z'],
  ];
}

export function boundsOf(outline: Outline): Rect {
  if (outline.kind === 'rect' || outline.kind === 'ellipse') return outline.box;
  return boundsOfPoints(outline.kind === 'polygon' ? outline.points : pointsOf(outline.commands));
}

function boundsOfPoints(points: readonly Point[]): Rect {
  if (points.length === 0) return { x: 0, y: 0, w: 0, h: 0 };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, w: right - left, h: bottom - top };
}

/** Corners and control points: a hull of the path, exact where it is straight. */
function pointsOf(commands: readonly PathCommand[]): Point[] {
  const points: Point[] = [];
  for (const [, ...numbers] of commands) {
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      points.push({ x: numbers[at] ?? 0, y: numbers[at + 1] ?? 0 });
    }
  }
  return points;
}

/** A path with every point moved by a function. */
export function mapPath(
  commands: readonly PathCommand[],
  to: (x: number, y: number) => Point,
): PathCommand[] {
  return commands.map((command) => {
    const [name, ...numbers] = command;
    const moved: number[] = [];
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      const { x, y } = to(numbers[at] ?? 0, numbers[at + 1] ?? 0);
      moved.push(x, y);
    }
    return [name, ...moved] as unknown as PathCommand;
  });
}

/** The outline moved, and grown by `by` on every side (shrunk when negative). */
export function grow(outline: Outline, by: number, dx = 0, dy = 0): Outline {
  if (outline.kind === 'polygon' || outline.kind === 'path') {
    const box = boundsOf(outline);
    const sx = box.w > 0 ? Math.max(0, box.w + 2 * by) / box.w : 1;
    const sy = box.h > 0 ? Math.max(0, box.h + 2 * by) / box.h : 1;
    const to = (x: number, y: number): Point => ({
      x: box.x - by + (x - box.x) * sx + dx,
      y: box.y - by + (y - box.y) * sy + dy,
    });
    return outline.kind === 'path'
      ? { ...outline, commands: mapPath(outline.commands, to) }
      : { kind: 'polygon', points: outline.points.map(({ x, y }) => to(x, y)) };
  }
  const { x, y, w, h } = outline.box;
  const box = { x: x - by + dx, y: y - by + dy, w: Math.max(0, w + 2 * by), h: Math.max(0, h + 2 * by) };
  if (outline.kind === 'ellipse') return { kind: 'ellipse', box };
  const radii = outline.radii.map((radius) =>
    (radius as number) > 0 ? Math.max(0, (radius as number) + by) : 0,
  );
  return rectOutline(box, radii as unknown as Radii);
}

/** True if a point lies inside; edges count. */
export function contains(outline: Outline, point: Point): boolean {
  const box = boundsOf(outline);
  if (point.x < box.x || point.y < box.y || point.x > box.x + box.w || point.y > box.y + box.h) return false;
  if (outline.kind === 'polygon') return insidePolygon(outline.points, point);
  if (outline.kind === 'path') return insidePolygon(pointsOf(outline.commands), point);
  if (outline.kind === 'ellipse') return insideEllipse(box, point);
  const [tl, tr, br, bl] = outline.radii as readonly [number, number, number, number];
  const left = point.x - box.x;
  const top = point.y - box.y;
  const right = box.w - left;
  const bottom = box.h - top;
  const cut = (radius: number, fromX: number, fromY: number): boolean =>
    fromX < radius && fromY < radius && Math.hypot(radius - fromX, radius - fromY) > radius;
  return !(cut(tl, left, top) || cut(tr, right, top) || cut(br, right, bottom) || cut(bl, left, bottom));
}

function insideEllipse(box: Rect, point: Point): boolean {
  if (box.w === 0 || box.h === 0) return false;
  const x = (point.x - box.x - box.w / 2) / (box.w / 2);
  const y = (point.y - box.y - box.h / 2) / (box.h / 2);
  return x * x + y * y <= 1;
}

function insidePolygon(points: readonly Point[], { x, y }: Point): boolean {
  let inside = false;
  let previous = points.at(-1);
  for (const point of points) {
    if (previous && point.y > y !== previous.y > y) {
      const crossing = ((previous.x - point.x) * (y - point.y)) / (previous.y - point.y) + point.x;
      if (x < crossing) inside = !inside;
    }
    previous = point;
  }
  return inside;
}
