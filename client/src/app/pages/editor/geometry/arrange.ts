import type { Rect } from '../../../../core/scene/display/matrix.ts';
import { around } from './snap-targets.ts';

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';

/** Offsets that align the boxes within a frame. */
export function alignBoxes(boxes: readonly Rect[], to: Alignment, frame: Rect): { dx: number; dy: number }[] {
  const end = { x: frame.x + frame.w, y: frame.y + frame.h };
  const middle = { x: frame.x + frame.w / 2, y: frame.y + frame.h / 2 };
  const moves: Readonly<Record<Alignment, (box: Rect) => { dx: number; dy: number }>> = {
    left: (box) => ({ dx: frame.x - box.x, dy: 0 }),
    center: (box) => ({ dx: middle.x - (box.x + box.w / 2), dy: 0 }),
    right: (box) => ({ dx: end.x - (box.x + box.w), dy: 0 }),
    top: (box) => ({ dx: 0, dy: frame.y - box.y }),
    middle: (box) => ({ dx: 0, dy: middle.y - (box.y + box.h / 2) }),
    bottom: (box) => ({ dx: 0, dy: end.y - (box.y + box.h) }),
  };
  return boxes.map(moves[to]);
}

/** Offsets that make the gaps between the boxes equal; the outermost boxes stay. */
export function distributeBoxes(boxes: readonly Rect[], axis: 'x' | 'y'): { dx: number; dy: number }[] {
  const frame = around(boxes);
  const still = boxes.map(() => ({ dx: 0, dy: 0 }));
  if (!frame || boxes.length < 3) return still;
  const start = (box: Rect): number => (axis === 'x' ? box.x : box.y);
  const size = (box: Rect): number => (axis === 'x' ? box.w : box.h);
  const order = boxes
    .map((box, index) => ({ box, index }))
    .sort((a, b) => start(a.box) + size(a.box) / 2 - start(b.box) - size(b.box) / 2);
  const room = (axis === 'x' ? frame.w : frame.h) - boxes.reduce((sum, box) => sum + size(box), 0);
  const gap = room / (boxes.length - 1);
  let at = start(frame);
  for (const { box, index } of order) {
    const by = at - start(box);
    still[index] = axis === 'x' ? { dx: by, dy: 0 } : { dx: 0, dy: by };
    at += size(box) + gap;
  }
  return still;
}
