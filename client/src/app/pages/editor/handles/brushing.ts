import { type CardPoint, DRAG_THRESHOLD_PX, type HandleState } from './machine.ts';

/** A rectangle is drawn over the card; what it touches is selected. */
export function brushing(from: CardPoint, besides: readonly string[]): HandleState {
  const state: HandleState = {
    name: 'brushing',
    next(context, input) {
      if (input.type === 'move') {
        if (input.travelled < DRAG_THRESHOLD_PX) return state;
        const { at } = input;
        const area = {
          x: Math.min(from.x, at.x),
          y: Math.min(from.y, at.y),
          w: Math.abs(at.x - from.x),
          h: Math.abs(at.y - from.y),
        };
        context.brush(area, besides);
        return state;
      }
      context.brush(null, besides);
      return 'idle';
    },
  };
  return state;
}
