import { IDENTITY, type Matrix, type Rect } from '../scene/display/matrix.ts';
import { NotVector } from './drawing.ts';
import { readNumbers } from './lengths.ts';
import type { Viewport } from './shapes.ts';
import type { Element } from './xml.ts';

/** The `viewBox` of an element. @throws NotVector where it cannot be read */
export function readViewBox(element: Element): Rect | undefined {
  const text = element.attributes.get('viewBox');
  if (text === undefined) return undefined;
  const [x, y, w, h] = readNumbers(text);
  if (x === undefined || y === undefined || w === undefined || h === undefined || w < 0 || h < 0) {
    throw new NotVector('has a viewBox that cannot be read');
  }
  return { x, y, w, h };
}

const ALIGN: Readonly<Record<string, number>> = { Min: 0, Mid: 0.5, Max: 1 };

/** Maps the box to the viewport by `preserveAspectRatio`. */
export function fitViewBox(box: Rect | undefined, viewport: Viewport, how = ''): Matrix {
  if (!box || box.w === 0 || box.h === 0) return IDENTITY;
  const [sx, sy] = [viewport.w / box.w, viewport.h / box.h];
  if (/\bnone\b/.test(how)) return [sx, 0, 0, sy, 0 - box.x * sx, 0 - box.y * sy];
  const scale = /\bslice\b/.test(how) ? Math.max(sx, sy) : Math.min(sx, sy);
  const align = /x(Min|Mid|Max)Y(Min|Mid|Max)/.exec(how);
  const left = (viewport.w - box.w * scale) * (ALIGN[align?.[1] ?? 'Mid'] ?? 0.5);
  const top = (viewport.h - box.h * scale) * (ALIGN[align?.[2] ?? 'Mid'] ?? 0.5);
  return [scale, 0, 0, scale, left - box.x * scale, top - box.y * scale];
}
