import {
  type CardPoint,
  DRAG_THRESHOLD_PX,
  type HandleContext,
  type HandleState,
  type PointerTarget,
} from './machine.ts';
import { resizing } from './resizing.ts';
import { resizingGroup } from './resizing-group.ts';
import { rotating } from './rotating.ts';

type HandleTarget = Extract<PointerTarget, { kind: 'handle' | 'group-handle' | 'rotate' }>;

function dragOf(target: HandleTarget, from: CardPoint, context: HandleContext): HandleState | undefined {
  if (target.kind === 'group-handle') return resizingGroup(context.movable(), target.handle, from);
  const start = context.box(target.id);
  if (!start) return undefined;
  return target.kind === 'rotate'
    ? rotating(target.id, start)
    : resizing(target.id, target.handle, from, start);
}

/** The pointer is down on a handle and has not moved enough to drag it. */
export function pointingHandle(target: HandleTarget, from: CardPoint): HandleState {
  const state: HandleState = {
    name: 'pointing-handle',
    next(context, input) {
      if (input.type === 'up' || input.type === 'cancel') return 'idle';
      const locked = target.kind !== 'group-handle' && context.isLocked(target.id);
      if (input.type !== 'move' || input.travelled < DRAG_THRESHOLD_PX || locked) return state;
      return dragOf(target, from, context)?.next(context, input) ?? 'idle';
    },
  };
  return state;
}
