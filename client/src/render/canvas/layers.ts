import type { Op, PushOp } from '../../core/scene/display/display-list.ts';

/**
 * True for groups that need a canvas of their own: filters and masks apply to a group as a whole, and so do fading and
 * blending, unless the group holds one operation only.
 */
export function isApart(ops: readonly Op[], index: number, op: PushOp): boolean {
  if (op.filters !== undefined || op.mask !== undefined) return true;
  return !holdsOneMark(ops, index) && (op.opacity < 1 || op.blend !== 'normal');
}

/**
 * True if the group that opens at `index` holds one path (filled or stroked, not both) or image: fading that looks the
 * same as fading the group, and is cheaper.
 */
export function holdsOneMark(ops: readonly Op[], index: number): boolean {
  const mark = ops[index + 1];
  if (ops[index + 2]?.op !== 'pop' || !mark) return false;
  return mark.op === 'image' || (mark.op === 'path' && (mark.fill === null || mark.stroke === null));
}

/** Number of canvases that painting needs at once: the target, and those of nested groups. */
export function canvasesOf(ops: readonly Op[]): number {
  const open: boolean[] = [];
  let [now, most] = [1, 1];
  for (const [index, op] of ops.entries()) {
    if (op.op === 'push') {
      const apart = isApart(ops, index, op);
      open.push(apart);
      if (apart) most = Math.max(most, ++now);
    } else if (op.op === 'pop' && open.pop()) now--;
  }
  return most;
}
