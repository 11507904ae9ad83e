import { type Handle, resizeBox, type TurnedBox } from '../geometry/resize.ts';
import { roundMm } from '../geometry/snap.ts';
import type { CardPoint, HandleState } from './machine.ts';

/** A corner or an edge follows the pointer. Shift keeps the proportions. */
export function resizing(id: string, handle: Handle, from: CardPoint, start: TurnedBox): HandleState {
  const state: HandleState = {
    name: 'resizing',
    next(context, input) {
      if (input.type === 'move') {
        const by = context.inParent(id, { x: input.at.x - from.x, y: input.at.y - from.y });
        const snapped = context.snapping() && !input.shift;
        const box = resizeBox(start, handle, by.x, by.y, {
          keepRatio: input.shift,
          ...(snapped && { snap: (value: number, axis: 'x' | 'y') => context.snapEdge(id, axis, value) }),
        });
        context.show({
          [id]: { ...box, x: roundMm(box.x), y: roundMm(box.y), w: roundMm(box.w), h: roundMm(box.h) },
        });
        return state;
      }
      if (input.type === 'up') context.commit();
      else context.discard();
      return 'idle';
    },
  };
  return state;
}
