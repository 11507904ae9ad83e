import { sameDocument } from '../../core/scene/changes/same-document.ts';
import { changedPlaces, changedSides } from '../../core/scene/display/changed-path.ts';
import type { DisplayList, Op, Outline, PushOp, StampOp } from '../../core/scene/display/display-list.ts';
import { IDENTITY, type Matrix, multiply, type Rect } from '../../core/scene/display/matrix.ts';
import { boundsOf } from '../../core/scene/display/outline.ts';
import { boxUnder, outset } from './bounds.ts';

/** Most boxes that are painted one by one; more become one. */
const MAX_BOXES = 8;
/** Boxes that leave less than this share of their common box out are one. */
const WASTE = 0.5;

/**
 * Boxes outside of which two lists look the same, in the coordinates of the card; undefined where everything may differ.
 * None for lists that look the same everywhere.
 */
export function changedArea(before: DisplayList, after: DisplayList): Rect[] | undefined {
  const alike =
    before.w === after.w &&
    before.h === after.h &&
    before.bleed === after.bleed &&
    sameDocument(before.trim, after.trim);
  if (!alike || before.ops.length !== after.ops.length) return undefined;
  const groups: { matrix: Matrix; blurred: boolean }[] = [];
  let [matrix, blurred] = [IDENTITY, false];
  const found: Rect[] = [];
  for (const [at, now] of after.ops.entries()) {
    const was = before.ops[at];
    if (now.op === 'push' || now.op === 'pop') {
      if (!was || !sameOp(was, now)) return undefined;
      if (now.op === 'push') {
        groups.push({ matrix, blurred });
        [matrix, blurred] = [multiply(matrix, now.matrix), blurred || isApart(now)];
      } else ({ matrix, blurred } = groups.pop() ?? { matrix: IDENTITY, blurred: false });
      continue;
    }
    const boxes = was ? changedBy(was, now) : undefined;
    // The look of a group may depend on all of it.
    if (!boxes || (boxes.length > 0 && blurred)) return undefined;
    for (const box of boxes) found.push(boxUnder(matrix, box));
  }
  return joined(found);
}

const isApart = ({ filters, mask, raster }: PushOp): boolean => Boolean(filters ?? mask ?? raster);

/** Operations without what is compared by itself: paths and stamps of maps are long. */
function sameOp(a: Op, b: Op): boolean {
  return a === b || sameDocument(a, b);
}

function changedBy(was: Op, now: Op): Rect[] | undefined {
  if (was === now) return [];
  if (was.op !== now.op) return undefined;
  if (was.op === 'path' && now.op === 'path') {
    const { outline: before, ...oldLook } = was;
    const { outline: after, ...look } = now;
    const plain = look.stroke === null || look.stroke.dash.length === 0;
    if (plain && sameDocument(oldLook, look) && isSolid(look.fill)) {
      const reach = look.stroke ? 2 * look.stroke.width : 0;
      return changedOutline(before, after)?.map((box) => outset(box, reach));
    }
  }
  if (was.op === 'stamp' && now.op === 'stamp') return changedStamp(was, now);
  // Letters reach beyond their boxes, and edges are smoothed: a part that is painted anew would show where it ends.
  return sameOp(was, now) ? [] : undefined;
}

/** The colours of a gradient do not depend on its outline, but they are given by places: those are compared as well. */
const isSolid = (fill: { readonly kind: string } | null): boolean => fill === null || fill.kind === 'solid';

function changedOutline(before: Outline, after: Outline): Rect[] | undefined {
  if (before === after) return [];
  if (before.kind !== 'path' || after.kind !== 'path' || before.evenOdd !== after.evenOdd)
    return sameDocument(before, after) ? [] : undefined;
  return changedSides(before.commands, after.commands);
}

function changedStamp(was: StampOp, now: StampOp): Rect[] | undefined {
  const { at: before, ...oldLook } = was;
  const { at: after, ...look } = now;
  if (!sameDocument(oldLook, look)) return undefined;
  if (before === after) return [];
  const { x, y, w, h } = outset(boundsOf(look.outline), look.stroke ? 2 * look.stroke.width : 0);
  const places = changedPlaces(before, after);
  return Array.from({ length: places.length / 2 }, (_, index) => ({
    x: x + (places[2 * index] ?? 0),
    y: y + (places[2 * index + 1] ?? 0),
    w,
    h,
  }));
}

const around = (a: Rect, b: Rect): Rect => {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
};

/** Boxes that lie close together as one. */
function joined(boxes: readonly Rect[]): Rect[] {
  let found: Rect[] = [];
  for (let box of boxes) {
    for (let merged = true; merged; ) {
      merged = false;
      for (const [at, other] of found.entries()) {
        const whole = around(box, other);
        if (WASTE * whole.w * whole.h > box.w * box.h + other.w * other.h) continue;
        found.splice(at, 1);
        [box, merged] = [whole, true];
        break;
      }
    }
    found.push(box);
    if (found.length > MAX_BOXES) found = [found.reduce(around)];
  }
  return found;
}
