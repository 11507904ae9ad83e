import type { Rect } from '../../../../core/scene/display/matrix.ts';
import type { TurnedBox } from '../geometry/resize.ts';
import { roundMm } from '../geometry/snap.ts';
import { around } from '../geometry/snap-targets.ts';
import type { CardPoint, HandleContext, HandleState } from './machine.ts';

/** Zones follow the pointer. Shift moves them off every line; Alt leaves them and moves copies. */
export function translating(ids: readonly string[], from: CardPoint): HandleState {
  const starts = new Map<string, TurnedBox>();
  let bounds: Rect | undefined;
  let copy = false;
  const begin = (context: HandleContext) => {
    bounds = around(ids.flatMap((id) => context.cardBox(id) ?? []));
    for (const id of ids) {
      const box = context.box(id);
      if (box) starts.set(id, box);
    }
  };
  const state: HandleState = {
    name: 'translating',
    next(context, input) {
      if (starts.size === 0) begin(context);
      if (input.type === 'move') {
        copy = input.alt === true;
        let by = { x: input.at.x - from.x, y: input.at.y - from.y };
        if (bounds && context.snapping() && !input.shift) {
          const moved = { ...bounds, x: bounds.x + by.x, y: bounds.y + by.y };
          const snapped = context.snapBox(moved, ids);
          by = { x: by.x + snapped.x - moved.x, y: by.y + snapped.y - moved.y };
        }
        const shown: Record<string, TurnedBox> = {};
        for (const [id, start] of starts) {
          const own = context.inParent(id, by);
          shown[id] = { ...start, x: roundMm(start.x + own.x), y: roundMm(start.y + own.y) };
        }
        context.show(shown);
        return state;
      }
      if (input.type === 'up') context.commit(copy);
      else context.discard();
      return 'idle';
    },
  };
  return state;
}
