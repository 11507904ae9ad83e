import type { DisplayList, Op, Outline, Rgba } from '../../scene/display/display-list.ts';

/** Opacity of images. */
const PALE = 0.25;
const BLACK: Rgba = [0, 0, 0, 1];
/** Edges of areas whose fill is left out, in millimetres. */
const HAIRLINE_MM = 0.1;
const GRAY: Rgba = [150, 150, 150, 1];

/**
 * The same card for a prototype that saves ink: areas become hairlines, images pale, letters black; shadows and
 * outlines of letters are dropped.
 */
export function lowInk(list: DisplayList): DisplayList {
  return { ...list, ops: list.ops.flatMap((op) => spare(op, list)) };
}

function spare(op: Op, list: DisplayList): Op[] {
  switch (op.op) {
    case 'push': {
      const { matrix, clip, opacity, raster } = op;
      const emoji = raster === 'colour-emoji' ? { raster } : {};
      return [{ op: 'push', matrix, clip, opacity, blend: 'normal', ...emoji }];
    }
    case 'pop':
      return [op];
    case 'shadow':
      return [];
    case 'image':
      return [{ ...op, opacity: op.opacity * PALE }];
    case 'text':
      return [{ ...op, shadows: [], outline: null, runs: op.runs.map((run) => ({ ...run, color: BLACK })) }];
    case 'path': {
      if (op.stroke) return [{ ...op, fill: null, stroke: { ...op.stroke, color: GRAY } }];
      if (!op.fill || isBackground(op.outline, list)) return [];
      return [{ ...op, fill: null, stroke: { color: GRAY, width: HAIRLINE_MM, dash: [] } }];
    }
    case 'stamp':
      return [
        {
          ...op,
          fill: op.fill && { kind: 'solid', color: GRAY },
          stroke: op.stroke && { ...op.stroke, color: GRAY },
          ...(op.image && { image: { ...op.image, opacity: op.image.opacity * PALE } }),
        },
      ];
    default:
      return [op];
  }
}

/** True for an area that covers the whole card: its edge would only run beside the cut. */
function isBackground(outline: Outline, list: DisplayList): boolean {
  if (outline.kind !== 'rect') return false;
  const { x, y, w, h } = outline.box;
  return x <= 0 && y <= 0 && x + w >= list.w && y + h >= list.h;
}
