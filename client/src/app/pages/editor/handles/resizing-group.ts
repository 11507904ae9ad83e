import type { Rect } from '../../../../core/scene/display/matrix.ts';
import { type Handle, MIN_SIDE_MM, resizeBox, type TurnedBox } from '../geometry/resize.ts';
import { roundMm } from '../geometry/snap.ts';
import { around } from '../geometry/snap-targets.ts';
import type { CardPoint, HandleContext, HandleState } from './machine.ts';

interface Start {
  readonly box: TurnedBox;
  readonly onCard: Rect;
}

/** A corner or an edge of the box around several zones follows the pointer. Shift keeps the proportions. */
export function resizingGroup(ids: readonly string[], handle: Handle, from: CardPoint): HandleState {
  const starts = new Map<string, Start>();
  const begin = (context: HandleContext) => {
    for (const id of ids) {
      const [box, onCard] = [context.box(id), context.cardBox(id)];
      if (box && onCard) starts.set(id, { box, onCard });
    }
  };
  const state: HandleState = {
    name: 'resizing-group',
    next(context, input) {
      if (starts.size === 0) begin(context);
      const bounds = around([...starts.values()].map(({ onCard }) => onCard));
      if (input.type === 'move' && bounds) {
        const [dx, dy] = [input.at.x - from.x, input.at.y - from.y];
        const next = resizeBox({ ...bounds, rotation: 0 }, handle, dx, dy, { keepRatio: input.shift });
        const sx = bounds.w > 0 ? next.w / bounds.w : 1;
        const sy = bounds.h > 0 ? next.h / bounds.h : 1;
        const shown: Record<string, TurnedBox> = {};
        for (const [id, { box, onCard }] of starts) {
          // Centres keep their places in the group's box; turned zones grow alike on both sides.
          const middle = { x: onCard.x + onCard.w / 2, y: onCard.y + onCard.h / 2 };
          const to = { x: next.x + (middle.x - bounds.x) * sx, y: next.y + (middle.y - bounds.y) * sy };
          const by = context.inParent(id, { x: to.x - middle.x, y: to.y - middle.y });
          const turned = box.rotation % 180 !== 0;
          const w = Math.max(MIN_SIDE_MM, box.w * (turned ? Math.min(sx, sy) : sx));
          const h = Math.max(MIN_SIDE_MM, box.h * (turned ? Math.min(sx, sy) : sy));
          const x = box.x + box.w / 2 + by.x - w / 2;
          const y = box.y + box.h / 2 + by.y - h / 2;
          shown[id] = { x: roundMm(x), y: roundMm(y), w: roundMm(w), h: roundMm(h), rotation: box.rotation };
        }
        context.show(shown);
        return state;
      }
      if (input.type === 'up') context.commit();
      else context.discard();
      return 'idle';
    },
  };
  return state;
}
