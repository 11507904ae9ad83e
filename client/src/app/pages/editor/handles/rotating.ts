import type { TurnedBox } from '../geometry/resize.ts';
import { snapAngle } from '../geometry/snap.ts';
import type { HandleState } from './machine.ts';

/** The handle above the zone points to where the pointer is. Shift turns freely. */
export function rotating(id: string, start: TurnedBox): HandleState {
  const state: HandleState = {
    name: 'rotating',
    next(context, input) {
      if (input.type === 'move') {
        const at = context.pointInParent(id, input.at);
        const dx = at.x - (start.x + start.w / 2);
        const dy = at.y - (start.y + start.h / 2);
        const degrees = (Math.atan2(dx, -dy) * 180) / Math.PI;
        context.show({ [id]: { ...start, rotation: snapAngle(degrees, input.shift) } });
        return state;
      }
      if (input.type === 'up') context.commit();
      else context.discard();
      return 'idle';
    },
  };
  return state;
}
