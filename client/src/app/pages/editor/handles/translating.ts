import type { TurnedBox } from '../geometry/resize.ts';
import { snapMove, tidy } from '../geometry/snap.ts';
import { idle } from './idle.ts';
import type { CardPoint, HandleState } from './machine.ts';

/** A zone follows the pointer. Shift moves it off the grid. */
export function translating(id: string, from: CardPoint, start: TurnedBox): HandleState {
  const state: HandleState = {
    name: 'translating',
    next(context, input) {
      if (input.type === 'move') {
        const by = context.inParent(id, { x: input.at.x - from.x, y: input.at.y - from.y });
        const moved = { ...start, x: tidy(start.x + by.x), y: tidy(start.y + by.y) };
        context.show(id, context.snapping() && !input.shift ? { ...moved, ...snapMove(moved) } : moved);
        return state;
      }
      if (input.type === 'up') context.commit();
      else context.discard();
      return idle;
    },
  };
  return state;
}
