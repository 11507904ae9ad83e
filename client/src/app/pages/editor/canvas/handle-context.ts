import type { ZoneFrame } from '../../../../core/scene/display/display-list.ts';
import { applyTo, IDENTITY, invert, type Matrix, type Rect } from '../../../../core/scene/display/matrix.ts';
import type { Layout } from '../../../../core/scene/layout.ts';
import { boxUnder } from '../../../../render/canvas/bounds.ts';
import { addDrawn } from '../commands/add.ts';
import { snapMove, snapToGrid } from '../geometry/snap.ts';
import {
  distancesOf,
  nearestLine,
  type SnapLine,
  type SnapTargets,
  snapToTargets,
  targetsOf,
} from '../geometry/snap-targets.ts';
import type { CardPoint, Drawing, HandleContext } from '../handles/machine.ts';
import { newZoneId } from '../new-zone-id.ts';
import { type EditorModel, NO_HINTS } from '../state/editor-store.ts';
import { findZone, outermost, parentsOf } from '../state/zones/zones.ts';

/** Lines draw edges to them from this far, in CSS pixels. */
const SNAP_REACH_PX = 6;

const frameOf = (frames: readonly ZoneFrame[], id: string): ZoneFrame | undefined =>
  frames.find((frame) => frame.id === id) ?? frames.find((frame) => frame.zone === id);

/** Takes the card's coordinates to those a zone's `x` and `y` are in. */
export function toParent(frames: readonly ZoneFrame[], id: string): Matrix {
  const parentId = frameOf(frames, id)?.parent;
  const parent = frames.find((frame) => frame.id === parentId && frame.kind !== 'base');
  if (!parent) return IDENTITY;
  const { matrix, box } = parent;
  // A child's origin is its parent's top left corner.
  const inverse = invert(matrix) ?? IDENTITY;
  return [inverse[0], inverse[1], inverse[2], inverse[3], inverse[4] - box.x, inverse[5] - box.y];
}

/** The upright box around a zone on the card. */
export function cardBoxOf(frames: readonly ZoneFrame[], id: string): Rect | undefined {
  const frame = frameOf(frames, id);
  return frame && boxUnder(frame.matrix, frame.box);
}

/** Lines of the card itself: trim, middle, bleed, safe margin and guides. */
function cardLines({ size, bleed, safe, guides }: Layout): SnapTargets {
  const along = (length: number): number[] => [
    -bleed,
    0,
    safe,
    length / 2,
    length - safe,
    length,
    length + bleed,
  ];
  return { x: [...along(size.w), ...guides.x], y: [...along(size.h), ...guides.y] };
}

/** The zones a drag may snap to: all that are neither moved nor inside of what is moved. */
function othersThan(model: EditorModel, frames: readonly ZoneFrame[], moving: readonly string[]): Rect[] {
  const { scene } = model.state;
  return frames
    .filter(
      ({ kind, zone }) =>
        kind !== 'base' &&
        !moving.includes(zone) &&
        !parentsOf(scene.zones, zone).some((parent) => moving.includes(parent.id)),
    )
    .map((frame) => boxUnder(frame.matrix, frame.box));
}

/** Operations of drawing a zone. @param reach of the lines that edges are drawn to, in millimetres */
function drawingContext(
  model: EditorModel,
  frames: () => readonly ZoneFrame[],
  reach: () => number,
): Drawing {
  return {
    isNext: () => model.state.tool !== null,
    snap(at) {
      if (!model.state.snapping) return at;
      const targets = targetsOf(othersThan(model, frames(), []), cardLines(model.state.scene));
      const lines: SnapLine[] = [];
      const snapped = (axis: 'x' | 'y'): number => {
        const found = nearestLine(at[axis], targets[axis], reach());
        if (found !== undefined) lines.push({ axis, at: found });
        return found ?? snapToGrid(at[axis]);
      };
      const point = { x: snapped('x'), y: snapped('y') };
      model.view({ hints: { lines, distances: [] } });
      return point;
    },
    show: (area) => model.view({ drawn: area }),
    end(drawn) {
      model.view({ drawn: null, hints: NO_HINTS });
      if (drawn) addDrawn(model, drawn);
    },
  };
}

/** Operations of the pointer's states on the document. @param pxPerMm CSS pixels per millimetre at present */
export function handleContext(
  model: EditorModel,
  frames: () => readonly ZoneFrame[],
  pxPerMm: () => number,
): HandleContext {
  const isLocked = (id: string): boolean => {
    const { scene } = model.state;
    return findZone(scene, id)?.locked ?? true;
  };
  const card = (): Rect => {
    const { w, h } = model.state.scene.size;
    return { x: 0, y: 0, w, h };
  };
  const reach = (): number => SNAP_REACH_PX / pxPerMm();
  return {
    box(id) {
      const zone = findZone(model.state.scene, id);
      return zone && { x: zone.x, y: zone.y, w: zone.w, h: zone.h, rotation: zone.rotation };
    },
    cardBox: (id) => cardBoxOf(frames(), id),
    isLocked,
    movable: () => outermost(model.state.scene, model.state.selection).filter((id) => !isLocked(id)),
    isSelected: (id) => model.state.selection.includes(id),
    inParent(id, vector: CardPoint) {
      const [a, b, c, d] = toParent(frames(), id);
      return applyTo([a, b, c, d, 0, 0], vector);
    },
    pointInParent: (id, point) => applyTo(toParent(frames(), id), point),
    snapping: () => model.state.snapping,
    snapBox(box, moving) {
      const others = othersThan(model, frames(), moving);
      const { dx, dy, lines } = snapToTargets(box, targetsOf(others, cardLines(model.state.scene)), reach());
      const grid = snapMove(box);
      const held = (axis: 'x' | 'y'): boolean => lines.some((line) => line.axis === axis);
      const x = held('x') ? box.x + dx : grid.x;
      const y = held('y') ? box.y + dy : grid.y;
      model.view({ hints: { lines, distances: distancesOf({ ...box, x, y }, others, card()) } });
      return { x, y };
    },
    snapEdge(id, axis, value) {
      const [a, b, c, d, e, f] = invert(toParent(frames(), id)) ?? IDENTITY;
      const upright = b === 0 && c === 0 && a === 1 && d === 1;
      const shift = axis === 'x' ? e : f;
      const others = othersThan(model, frames(), [id]);
      const lines = targetsOf(others, cardLines(model.state.scene))[axis];
      const found = upright ? nearestLine(value + shift, lines, reach()) : undefined;
      const hint = found === undefined ? [] : [{ axis, at: found }];
      const kept = model.state.hints.lines.filter((line) => line.axis !== axis);
      model.view({ hints: { lines: [...kept, ...hint], distances: [] } });
      return found === undefined ? snapToGrid(value) : found - shift;
    },
    select: (id) => model.select(id),
    toggle: (id) => model.toggle(id),
    selection: () => model.state.selection,
    drawing: drawingContext(model, frames, reach),
    brush(area, besides) {
      model.view({ brush: area });
      if (!area) return;
      const { scene } = model.state;
      const touched = scene.zones
        .filter((zone) => !zone.locked && !zone.hidden)
        .map(({ id }) => id)
        .filter((id) => {
          const box = cardBoxOf(frames(), id);
          return (
            box &&
            box.x < area.x + area.w &&
            box.x + box.w > area.x &&
            box.y < area.y + area.h &&
            box.y + box.h > area.y
          );
        });
      model.selectAll([...new Set([...besides, ...touched])]);
    },
    show: (boxes) => model.showPreview(boxes),
    commit: (copy) => (copy ? model.commitCopies(newZoneId) : model.commitPreview()),
    discard() {
      model.showPreview({});
      model.view({ hints: NO_HINTS });
    },
  };
}
