import type { ZoneFrame } from '../../../../core/scene/display-list.ts';
import { applyTo, IDENTITY, invert, type Matrix } from '../../../../core/scene/matrix.ts';
import type { CardPoint, HandleContext } from '../handles/machine.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { findZone } from '../state/zones.ts';

/** Takes the card's coordinates to those a zone's `x` and `y` are in. */
function toParent(frames: readonly ZoneFrame[], id: string): Matrix {
  const parentId = frames.find((frame) => frame.id === id)?.parent;
  const parent = frames.find((frame) => frame.id === parentId && frame.kind !== 'base');
  if (!parent) return IDENTITY;
  const { matrix, box } = parent;
  // A child's origin is its parent's top left corner.
  const inverse = invert(matrix) ?? IDENTITY;
  return [inverse[0], inverse[1], inverse[2], inverse[3], inverse[4] - box.x, inverse[5] - box.y];
}

/** What the pointer's states may do, in terms of the document. */
export function handleContext(model: EditorModel, frames: () => readonly ZoneFrame[]): HandleContext {
  return {
    box(id) {
      const zone = findZone(model.state.scene, id);
      return zone && { x: zone.x, y: zone.y, w: zone.w, h: zone.h, rotation: zone.rotation };
    },
    isLocked: (id) => findZone(model.state.scene, id)?.locked ?? true,
    inParent(id, vector: CardPoint) {
      const [a, b, c, d] = toParent(frames(), id);
      return applyTo([a, b, c, d, 0, 0], vector);
    },
    pointInParent: (id, point) => applyTo(toParent(frames(), id), point),
    snapping: () => model.state.snapping,
    select: (id) => model.select(id),
    show: (id, box) => model.showPreview({ [id]: box }),
    commit: () => model.commitPreview(),
    discard: () => model.showPreview({}),
  };
}
