import type { SpaceRole } from '../board/space.ts';
import type { Stroke } from '../scene/style/paint.ts';
import type { Box } from '../scene/zones/definition.ts';
import { newZone, type ZoneOf } from '../scene/zones.ts';

/** Most slots across or down. */
export const MAX_SLOTS_ASIDE = 20;

export interface SlotContent {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
  /** Size of one slot, in millimetres; slots shrink in proportion where they would not fit. */
  readonly w: number;
  readonly h: number;
  readonly role: SpaceRole;
}

export interface SlotStyle {
  readonly colour: string | undefined;
  readonly stroke: Stroke;
}

/** Slots in columns and rows, evenly spread over a box, as a group of ordinary spaces. */
export function slotZones(
  box: Box,
  content: SlotContent,
  style: SlotStyle,
  newId: () => string,
): ZoneOf<'container'> {
  const within = (count: number) => Math.min(MAX_SLOTS_ASIDE, Math.max(1, Math.floor(count)));
  const [columns, rows] = [within(content.columns), within(content.rows)];
  const scale = Math.min(1, box.w / (columns * content.w), box.h / (rows * content.h));
  const [w, h] = [content.w * scale, content.h * scale];
  const [gapX, gapY] = [(box.w - columns * w) / (columns + 1), (box.h - rows * h) / (rows + 1)];
  const children = Array.from({ length: columns * rows }, (_, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const at = { x: gapX + column * (w + gapX), y: gapY + row * (h + gapY), w, h };
    return {
      ...newZone('space', newId(), `${content.name} ${index + 1}`, at),
      role: content.role,
      stroke: style.stroke,
      ...(style.colour !== undefined && { fill: { kind: 'solid' as const, color: style.colour } }),
    };
  });
  return { ...newZone('container', newId(), content.name, box), arrange: 'free', children };
}
