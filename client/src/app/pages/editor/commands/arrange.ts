import type { Rect } from '../../../../core/scene/display/matrix.ts';
import { type Alignment, alignBoxes, distributeBoxes } from '../geometry/arrange.ts';
import { roundMm } from '../geometry/snap.ts';
import { around } from '../geometry/snap-targets.ts';
import { findZone, parentsOf, siblingsOf } from '../state/zones/zones.ts';
import { type Command, type CommandContext, freeIds, hasFree, hasSelection } from './command.ts';

/** Distance an arrow key moves a zone, and with Shift, in millimetres. */
export const NUDGE_MM = 0.5;
export const BIG_NUDGE_MM = 5;

/** The selected zones that are free and lie in one parent, with the parent's box. */
function together(context: CommandContext): { ids: string[]; boxes: Rect[]; frame: Rect } {
  const { scene } = context.model.state;
  const all = freeIds(context);
  const [first] = all;
  const list = first === undefined ? undefined : siblingsOf(scene.zones, first);
  const ids = all.filter((id) => siblingsOf(scene.zones, id) === list);
  const parent = first === undefined ? undefined : parentsOf(scene.zones, first).at(-1);
  const { w, h } = parent ?? scene.size;
  const boxes = ids.flatMap((id) => findZone(scene, id) ?? []).map(({ x, y, w, h }) => ({ x, y, w, h }));
  return { ids, boxes, frame: { x: 0, y: 0, w, h } };
}

function move(
  context: CommandContext,
  ids: readonly string[],
  by: readonly { dx: number; dy: number }[],
): void {
  context.model.actOnEach(ids, (zone) => {
    const { dx, dy } = by[ids.indexOf(zone.id)] ?? { dx: 0, dy: 0 };
    zone.x = roundMm(zone.x + dx);
    zone.y = roundMm(zone.y + dy);
  });
}

function align(to: Alignment, label: string, key: string): Command {
  return {
    id: `align-${to}`,
    label,
    group: 'Arrange',
    keys: [key],
    when: hasFree,
    run(context) {
      const { ids, boxes, frame } = together(context);
      // One zone is aligned in what holds it, several among themselves.
      const within = boxes.length > 1 ? (around(boxes) ?? frame) : frame;
      move(context, ids, alignBoxes(boxes, to, within));
    },
  };
}

function distribute(axis: 'x' | 'y', label: string, key: string): Command {
  return {
    id: `distribute-${axis}`,
    label,
    group: 'Arrange',
    keys: [key],
    when: (context) => freeIds(context).length > 2,
    run(context) {
      const { ids, boxes } = together(context);
      move(context, ids, distributeBoxes(boxes, axis));
    },
  };
}

function nudge(label: string, key: string, dx: number, dy: number): Command[] {
  return [NUDGE_MM, BIG_NUDGE_MM].map((step) => ({
    id: `nudge-${label}-${step}`,
    label: `Move ${label} by ${step} mm`,
    group: 'Move' as const,
    keys: [step === NUDGE_MM ? key : `Shift+${key}`],
    when: hasFree,
    run(context) {
      context.model.actOnEach(
        freeIds(context),
        (zone) => {
          zone.x = roundMm(zone.x + dx * step);
          zone.y = roundMm(zone.y + dy * step);
        },
        'nudge',
      );
    },
  }));
}

/** Moves the selected zones within their lists. */
function reorder(id: string, label: string, key: string, to: 'up' | 'down' | 'top' | 'bottom'): Command {
  return {
    id,
    label,
    group: 'Order',
    keys: [key],
    when: hasSelection,
    run({ model }) {
      const { selection } = model.state;
      model.act((scene) => {
        const upwards = to === 'up' || to === 'top';
        // From the far end, so that several keep their order among themselves.
        const ids = [...selection].sort((a, b) => placeOf(b) - placeOf(a));
        if (to === 'top' || to === 'down') ids.reverse();
        for (const zoneId of ids) {
          const list = siblingsOf(scene.zones, zoneId);
          const from = list?.findIndex((zone) => zone.id === zoneId) ?? -1;
          if (!list || from < 0) continue;
          const target = to === 'top' ? list.length - 1 : to === 'bottom' ? 0 : from + (upwards ? 1 : -1);
          if (target < 0 || target >= list.length || selection.includes(list[target]?.id ?? '')) {
            if (to === 'up' || to === 'down') continue;
          }
          const [zone] = list.splice(from, 1);
          if (zone) list.splice(target, 0, zone);
        }
        function placeOf(zoneId: string): number {
          return siblingsOf(scene.zones, zoneId)?.findIndex((zone) => zone.id === zoneId) ?? 0;
        }
      });
    },
  };
}

export const FORWARD = reorder('forward', 'Bring forward', 'Ctrl+]', 'up');
export const BACKWARD = reorder('backward', 'Send backward', 'Ctrl+[', 'down');
export const TO_FRONT = reorder('front', 'Bring to front', 'Ctrl+Shift+]', 'top');
export const TO_BACK = reorder('back', 'Send to back', 'Ctrl+Shift+[', 'bottom');

export const ALIGN_COMMANDS: readonly Command[] = [
  align('left', 'Align left edges', 'Alt+A'),
  align('center', 'Align centres', 'Alt+H'),
  align('right', 'Align right edges', 'Alt+D'),
  align('top', 'Align top edges', 'Alt+W'),
  align('middle', 'Align middles', 'Alt+V'),
  align('bottom', 'Align bottom edges', 'Alt+S'),
];
export const DISTRIBUTE_COMMANDS: readonly Command[] = [
  distribute('x', 'Distribute across', 'Alt+Shift+H'),
  distribute('y', 'Distribute down', 'Alt+Shift+V'),
];

export const ARRANGE_COMMANDS: readonly Command[] = [
  FORWARD,
  BACKWARD,
  TO_FRONT,
  TO_BACK,
  ...ALIGN_COMMANDS,
  ...DISTRIBUTE_COMMANDS,
  ...nudge('left', 'ArrowLeft', -1, 0),
  ...nudge('right', 'ArrowRight', 1, 0),
  ...nudge('up', 'ArrowUp', 0, -1),
  ...nudge('down', 'ArrowDown', 0, 1),
];
