import { SVGPathData } from 'svg-pathdata';
import type { Outline, PathCommand } from '../scene/display/display-list.ts';
import { pathOf, rectOutline } from '../scene/display/outline.ts';
import { NotVector } from './drawing.ts';
import { readLength, readNumbers } from './lengths.ts';
import type { Element } from './xml.ts';

/** Elements that draw a shape. */
export const SHAPES: ReadonlySet<string> = new Set([
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
]);

/** Size that percentages refer to. */
export interface Viewport {
  readonly w: number;
  readonly h: number;
}

/**
 * The path of a shape; empty where there is nothing to draw.
 * @throws NotVector for invalid attributes
 */
export function shapePath(element: Element, viewport: Viewport): PathCommand[] {
  const text = (name: string): string => element.attributes.get(name) ?? '';
  const x = (name: string): number => readLength(text(name), viewport.w, 0);
  const y = (name: string): number => readLength(text(name), viewport.h, 0);
  const diagonal = Math.hypot(viewport.w, viewport.h) / Math.SQRT2;
  switch (element.name) {
    case 'path':
      return readPath(text('d'));
    case 'rect':
      return rectPath(element, viewport);
    case 'circle': {
      const r = readLength(text('r'), diagonal, 0);
      return ellipsePath(x('cx'), y('cy'), r, r);
    }
    case 'ellipse':
      return ellipsePath(x('cx'), y('cy'), x('rx'), y('ry'));
    case 'line':
      return [
        ['M', x('x1'), y('y1')],
        ['L', x('x2'), y('y2')],
      ];
    default:
      return pointsPath(readNumbers(text('points')), element.name === 'polygon');
  }
}

function rectPath(element: Element, viewport: Viewport): PathCommand[] {
  const length = (name: string, whole: number, initial = 0): number =>
    readLength(element.attributes.get(name), whole, initial);
  const box = {
    x: length('x', viewport.w),
    y: length('y', viewport.h),
    w: length('width', viewport.w),
    h: length('height', viewport.h),
  };
  if (box.w <= 0 || box.h <= 0) return [];
  const given = { x: length('rx', viewport.w, Number.NaN), y: length('ry', viewport.h, Number.NaN) };
  const rx = Math.min(box.w / 2, Number.isNaN(given.x) ? given.y || 0 : given.x);
  const ry = Math.min(box.h / 2, Number.isNaN(given.y) ? given.x || 0 : given.y);
  if (rx <= 0 || ry <= 0) return pathOf(rectOutline(box));
  // Elliptical corners are circular ones, stretched.
  const round = pathOf(
    rectOutline({ x: 0, y: 0, w: box.w, h: (box.h * rx) / ry }, [rx, rx, rx, rx] as never),
  );
  return round.map(([name, ...numbers]) => {
    const placed = numbers.map((value, at) => (at % 2 === 0 ? box.x + value : box.y + (value * ry) / rx));
    return [name, ...placed] as unknown as PathCommand;
  });
}

function ellipsePath(cx: number, cy: number, rx: number, ry: number): PathCommand[] {
  if (rx <= 0 || ry <= 0) return [];
  const ellipse: Outline = { kind: 'ellipse', box: { x: cx - rx, y: cy - ry, w: 2 * rx, h: 2 * ry } };
  return pathOf(ellipse);
}

function pointsPath(numbers: readonly number[], closed: boolean): PathCommand[] {
  const path: PathCommand[] = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    path.push([at === 0 ? 'M' : 'L', numbers[at] ?? 0, numbers[at + 1] ?? 0]);
  }
  if (closed && path.length > 0) path.push(['Z']);
  return path;
}

function readPath(data: string): PathCommand[] {
  if (data.trim() === '' || data.trim() === 'none') return [];
  let commands: SVGPathData['commands'];
  try {
    commands = new SVGPathData(data).toAbs().aToC().normalizeHVZ(false).normalizeST().qtToC().commands;
  } catch {
    throw new NotVector('has a path that cannot be read');
  }
  return commands.map((command): PathCommand => {
    switch (command.type) {
      case SVGPathData.MOVE_TO:
        return ['M', command.x, command.y];
      case SVGPathData.LINE_TO:
        return ['L', command.x, command.y];
      case SVGPathData.CURVE_TO:
        return ['C', command.x1, command.y1, command.x2, command.y2, command.x, command.y];
      case SVGPathData.CLOSE_PATH:
        return ['Z'];
      default:
        throw new NotVector('has a path that cannot be read');
    }
  });
}

/** The exact bounding box of a path, without its stroke. */
export function pathBounds(commands: readonly PathCommand[]): { x: number; y: number; w: number; h: number } {
  const made = commands.map((command) => {
    if (command[0] === 'Z') return { type: SVGPathData.CLOSE_PATH } as const;
    if (command[0] === 'M')
      return { type: SVGPathData.MOVE_TO, relative: false, x: command[1], y: command[2] } as const;
    if (command[0] === 'L')
      return { type: SVGPathData.LINE_TO, relative: false, x: command[1], y: command[2] } as const;
    const [, x1, y1, x2, y2, x, y] = command;
    return { type: SVGPathData.CURVE_TO, relative: false, x1, y1, x2, y2, x, y } as const;
  });
  const { minX, minY, maxX, maxY } = new SVGPathData(made).getBounds();
  return { x: minX, y: minY, w: maxX - minX, h: maxY - minY };
}
