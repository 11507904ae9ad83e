import type { HandleState } from './machine.ts';
import { pointingHandle } from './pointing-handle.ts';
import { pointingZone } from './pointing-zone.ts';

/** Nothing is held. */
export const idle: HandleState = {
  name: 'idle',
  next(context, input) {
    if (input.type !== 'down') return idle;
    const { target, at } = input;
    if (target.kind === 'card') {
      context.select(null);
      return idle;
    }
    if (target.kind === 'zone') {
      context.select(target.id);
      return pointingZone(target.id, at);
    }
    return pointingHandle(target, at);
  },
};
