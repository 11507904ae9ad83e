import { type CardPoint, DRAG_THRESHOLD_PX, type HandleState } from './machine.ts';
import { translating } from './translating.ts';

/**
 * The pointer is down on a zone and has not moved enough to drag it.
 * @param among the zone was one of several selected: letting go selects it alone
 */
export function pointingZone(id: string, from: CardPoint, among: boolean): HandleState {
  const state: HandleState = {
    name: 'pointing-zone',
    next(context, input) {
      if (input.type === 'up' && among) context.select(id);
      if (input.type === 'up' || input.type === 'cancel') return 'idle';
      if (input.type !== 'move' || input.travelled < DRAG_THRESHOLD_PX || context.isLocked(id)) return state;
      const moving = context.movable();
      return moving.length > 0 ? translating(moving, from).next(context, input) : 'idle';
    },
  };
  return state;
}
