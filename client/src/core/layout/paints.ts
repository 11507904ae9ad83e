import { parseColour } from '../scene/colour/colour.ts';
import type {
  Op,
  Outline,
  Paint,
  PaintStop,
  PushOp,
  RasterReason,
  Rgba,
} from '../scene/display/display-list.ts';
import { IDENTITY, type Rect } from '../scene/display/matrix.ts';
import { grow } from '../scene/display/outline.ts';
import type { Fill, GradientStop, Shadow, Stroke } from '../scene/style/paint.ts';

const CLEAR: Rgba = [0, 0, 0, 0];

/** A colour as numbers; invalid text paints nothing. */
export function rgba(text: string): Rgba {
  return parseColour(text) ?? CLEAR;
}

/** The paint of a fill in a box, or null where it would paint nothing. */
export function paintOf(fill: Fill, box: Rect): Paint | null {
  if (fill.kind === 'none' || fill.kind === 'image' || box.w <= 0 || box.h <= 0) return null;
  if (fill.kind === 'solid') {
    const color = rgba(fill.color);
    return color[3] > 0 ? { kind: 'solid', color } : null;
  }
  const stops = stopsOf(fill.stops);
  if (fill.kind === 'radial') {
    const center = { x: box.x + fill.cx * box.w, y: box.y + fill.cy * box.h };
    return { kind: 'radial', center, radius: (fill.radius * Math.hypot(box.w, box.h)) / 2, stops };
  }
  if (fill.kind === 'conic') {
    const center = { x: box.x + fill.cx * box.w, y: box.y + fill.cy * box.h };
    return { kind: 'conic', center, start: ((fill.angle - 90) * Math.PI) / 180, stops };
  }
  // As in CSS: the line is just long enough for its ends' colours to reach the corners.
  const radians = ((fill.angle as number) * Math.PI) / 180;
  const sin = Math.sin(radians);
  const cos = Math.cos(radians);
  const half = (Math.abs(box.w * sin) + Math.abs(box.h * cos)) / 2;
  const cx = box.x + box.w / 2;
  const cy = box.y + box.h / 2;
  return {
    kind: 'linear',
    from: { x: cx - sin * half, y: cy + cos * half },
    to: { x: cx + sin * half, y: cy - cos * half },
    stops,
  };
}

/** Stops in ascending order, each no earlier than the one before it. */
function stopsOf(stops: readonly GradientStop[]): PaintStop[] {
  let reached = 0;
  return stops.map(({ at, color }) => {
    reached = Math.max(reached, at);
    return { at: reached, color: rgba(color) };
  });
}

/** Opens a group that a PDF shows as an image. */
export function rasterPush(raster: RasterReason): PushOp {
  return { op: 'push', matrix: IDENTITY, clip: null, opacity: 1, blend: 'normal', raster };
}

/** The fill of an outline as operations; an image fill is the caller's. */
export function fillOps(outline: Outline, fill: Fill, box: Rect): Op[] {
  const paint = paintOf(fill, box);
  if (!paint) return [];
  const path: Op = { op: 'path', outline, fill: paint, stroke: null };
  return paint.kind === 'conic' ? [rasterPush('conic-gradient'), path, { op: 'pop' }] : [path];
}

export function strokeOps(outline: Outline, stroke: Stroke): Op[] {
  const width = stroke.width as number;
  const color = rgba(stroke.color);
  if (width <= 0 || color[3] === 0) return [];
  const shift = stroke.align === 'inside' ? -width / 2 : stroke.align === 'outside' ? width / 2 : 0;
  return [
    {
      op: 'path',
      outline: shift === 0 ? outline : grow(outline, shift),
      fill: null,
      stroke: { color, width, dash: stroke.dash },
    },
  ];
}

/** Shadows of an outline, the first of the list in front. */
export function shadowOps(outline: Outline, shadows: readonly Shadow[]): Op[] {
  const ops: Op[] = [];
  for (const shadow of shadows) {
    const color = rgba(shadow.color);
    if (color[3] === 0) continue;
    ops.unshift({
      op: 'shadow',
      caster: outline,
      outline: grow(outline, shadow.spread, shadow.dx, shadow.dy),
      sigma: (shadow.blur as number) / 2,
      color,
    });
  }
  return ops;
}
