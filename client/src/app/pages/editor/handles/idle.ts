import { brushing } from './brushing.ts';
import { drawingZone } from './drawing-zone.ts';
import type { HandleState } from './machine.ts';
import { pointingHandle } from './pointing-handle.ts';
import { pointingZone } from './pointing-zone.ts';

/** Nothing is held. */
export const idle: HandleState = {
  name: 'idle',
  next(context, input) {
    if (input.type !== 'down') return idle;
    const { target, at, shift = false } = input;
    if (context.drawing?.isNext()) return drawingZone(context.drawing, at);
    if (target.kind === 'card') {
      const besides = shift ? context.selection() : [];
      if (!shift) context.select(null);
      return brushing(at, besides);
    }
    if (target.kind === 'zone') {
      if (shift) {
        context.toggle(target.id);
        return idle;
      }
      // Pressing one of several keeps them together, so that all can be dragged.
      const among = context.isSelected(target.id);
      if (!among) context.select(target.id);
      return pointingZone(target.id, at, among);
    }
    return pointingHandle(target, at);
  },
};
