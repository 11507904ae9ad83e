import { idle } from './idle.ts';
import { type CardPoint, DRAG_THRESHOLD_PX, type HandleState, type PointerTarget } from './machine.ts';
import { resizing } from './resizing.ts';
import { rotating } from './rotating.ts';

type HandleTarget = Extract<PointerTarget, { kind: 'handle' | 'rotate' }>;

/** The pointer is down on a handle and has not moved enough to drag it. */
export function pointingHandle(target: HandleTarget, from: CardPoint): HandleState {
  const state: HandleState = {
    name: 'pointing-handle',
    next(context, input) {
      if (input.type === 'up' || input.type === 'cancel') return idle;
      if (input.type !== 'move' || input.travelled < DRAG_THRESHOLD_PX || context.isLocked(target.id))
        return state;
      const start = context.box(target.id);
      if (!start) return idle;
      const drag =
        target.kind === 'rotate'
          ? rotating(target.id, start)
          : resizing(target.id, target.handle, from, start);
      return drag.next(context, input);
    },
  };
  return state;
}
