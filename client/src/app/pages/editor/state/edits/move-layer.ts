import { MAX_DEPTH } from '../../../../../core/scene/limits.ts';
import { isParent, type Zone } from '../../../../../core/scene/zones.ts';
import type { EditorModel } from '../editor-store.ts';
import { shifted } from '../zones/shifted.ts';
import { allZones, findZone, parentsOf, siblingsOf, takeOut } from '../zones/zones.ts';

/** Destination of a dragged layer: in front of another, behind it, or inside it as its front. */
export type DropPlace = 'front' | 'behind' | 'inside';

const depthOf = (zone: Zone): number => 1 + (isParent(zone) ? Math.max(0, ...zone.children.map(depthOf)) : 0);

/** Left and top of a zone's parent, rotations left aside. */
function originOf(zones: readonly Zone[], id: string): { x: number; y: number } {
  return parentsOf(zones, id).reduce((sum, { x, y }) => ({ x: sum.x + x, y: sum.y + y }), { x: 0, y: 0 });
}

/**
 * Moves a zone in the tree; on the card it stays where it is, in every language. Nothing happens when it would come to
 * lie inside of itself or too deep, nor into another zone while one language is shown.
 */
export function moveLayer(model: EditorModel, id: string, target: string, place: DropPlace): void {
  const { scene } = model.state;
  const zone = findZone(scene, id);
  const goal = findZone(scene, target);
  if (!zone || !goal || id === target || allZones([zone]).some((inner) => inner.id === target)) return;
  const holders = parentsOf(scene.zones, target).length + (place === 'inside' ? 1 : 0);
  if (holders + depthOf(zone) > MAX_DEPTH || (place === 'inside' && !isParent(goal))) return;
  if (model.state.language !== null && parentOf(scene.zones, id) !== newParent(scene.zones, target, place))
    return;
  const from = originOf(scene.zones, id);
  model.act(
    (draft) => {
      const moved = takeOut(draft.zones, id);
      const list = place === 'inside' ? childrenOf(draft.zones, target) : siblingsOf(draft.zones, target);
      if (!moved || !list) return;
      const at = list.findIndex((one) => one.id === target);
      list.splice(place === 'inside' ? list.length : place === 'front' ? at + 1 : at, 0, moved);
      const to = originOf(draft.zones, id);
      const { x, y, languages } = shifted(moved, from.x - to.x, from.y - to.y);
      Object.assign(moved, { x, y }, languages && { languages });
    },
    { select: id },
  );
}

const parentOf = (zones: readonly Zone[], id: string): string | undefined => parentsOf(zones, id).at(-1)?.id;

const newParent = (zones: readonly Zone[], target: string, place: DropPlace): string | undefined =>
  place === 'inside' ? target : parentOf(zones, target);

function childrenOf(zones: readonly Zone[], id: string): Zone[] | undefined {
  const zone = allZones(zones).find((one) => one.id === id);
  return zone && isParent(zone) ? zone.children : undefined;
}
