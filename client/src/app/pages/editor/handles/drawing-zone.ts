import type { Rect } from '../../../../core/scene/display/matrix.ts';
import { roundMm } from '../geometry/snap.ts';
import { type CardPoint, DRAG_THRESHOLD_PX, type Drawing, type HandleState } from './machine.ts';

/** Least width and height of a drawn zone, in millimetres; a smaller one is a slip of the hand. */
const LEAST_MM = 1;

/** A new zone is drawn from one corner to the other; a click gives it its usual size. Shift draws it square. */
export function drawingZone(drawing: Drawing, from: CardPoint): HandleState {
  let area: Rect | undefined;
  let start: CardPoint | undefined;
  const state: HandleState = {
    name: 'drawing-zone',
    next(_, input) {
      if (input.type === 'move') {
        if (area === undefined && input.travelled < DRAG_THRESHOLD_PX) return state;
        start ??= drawing.snap(from);
        area = between(start, drawing.snap(input.at), input.shift);
        drawing.show(area);
        return state;
      }
      if (input.type !== 'up') drawing.end(undefined);
      else if (area && area.w >= LEAST_MM && area.h >= LEAST_MM) drawing.end(area);
      else {
        const { x, y } = start ?? drawing.snap(from);
        drawing.end({ x: roundMm(x), y: roundMm(y) });
      }
      return 'idle';
    },
  };
  return state;
}

function between(from: CardPoint, to: CardPoint, square: boolean): Rect {
  let [dx, dy] = [to.x - from.x, to.y - from.y];
  if (square) {
    const side = Math.max(Math.abs(dx), Math.abs(dy));
    [dx, dy] = [dx < 0 ? -side : side, dy < 0 ? -side : side];
  }
  return {
    x: roundMm(Math.min(from.x, from.x + dx)),
    y: roundMm(Math.min(from.y, from.y + dy)),
    w: roundMm(Math.abs(dx)),
    h: roundMm(Math.abs(dy)),
  };
}
