import { idle } from './idle.ts';
import { type CardPoint, DRAG_THRESHOLD_PX, type HandleState } from './machine.ts';
import { translating } from './translating.ts';

/** The pointer is down on a zone and has not moved enough to drag it. */
export function pointingZone(id: string, from: CardPoint): HandleState {
  const state: HandleState = {
    name: 'pointing-zone',
    next(context, input) {
      if (input.type === 'up' || input.type === 'cancel') return idle;
      if (input.type !== 'move' || input.travelled < DRAG_THRESHOLD_PX || context.isLocked(id)) return state;
      const start = context.box(id);
      return start ? translating(id, from, start).next(context, input) : idle;
    },
  };
  return state;
}
