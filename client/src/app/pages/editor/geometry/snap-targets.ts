import type { Rect } from '../../../../core/scene/display/matrix.ts';

/** A line of the card that edges and middles are drawn to. */
export interface SnapLine {
  readonly axis: 'x' | 'y';
  /** Millimetres from the trim. */
  readonly at: number;
}

/** Lines to snap to, by axis. */
export interface SnapTargets {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Positions of a box's edges and middle along an axis. */
function stationsOf(box: Rect, axis: 'x' | 'y'): readonly number[] {
  const [start, size] = axis === 'x' ? [box.x, box.w] : [box.y, box.h];
  return [start, start + size / 2, start + size];
}

/** Lines of boxes: edges and middles. */
export function targetsOf(
  boxes: readonly Rect[],
  lines: { x: readonly number[]; y: readonly number[] },
): SnapTargets {
  return {
    x: [...lines.x, ...boxes.flatMap((box) => stationsOf(box, 'x'))],
    y: [...lines.y, ...boxes.flatMap((box) => stationsOf(box, 'y'))],
  };
}

export interface SnapResult {
  readonly dx: number;
  readonly dy: number;
  /** Lines snapped to. */
  readonly lines: readonly SnapLine[];
}

/** Offset that puts an edge or the middle of a box on the nearest line within reach, for each axis. */
export function snapToTargets(box: Rect, targets: SnapTargets, reach: number): SnapResult {
  const lines: SnapLine[] = [];
  const along = (axis: 'x' | 'y'): number => {
    let best: { by: number; at: number } | undefined;
    for (const station of stationsOf(box, axis)) {
      for (const at of targets[axis]) {
        const by = at - station;
        if (Math.abs(by) <= reach && (!best || Math.abs(by) < Math.abs(best.by) - 1e-9)) best = { by, at };
      }
    }
    if (best) lines.push({ axis, at: best.at });
    return best?.by ?? 0;
  };
  return { dx: along('x'), dy: along('y'), lines };
}

/** The line nearest to a coordinate, where one is within reach. */
export function nearestLine(value: number, lines: readonly number[], reach: number): number | undefined {
  let best: number | undefined;
  for (const line of lines) {
    if (
      Math.abs(line - value) <= reach &&
      (best === undefined || Math.abs(line - value) < Math.abs(best - value))
    )
      best = line;
  }
  return best;
}

/** A measured stretch between a box and what lies next to it. */
export interface Distance {
  readonly axis: 'x' | 'y';
  readonly from: number;
  readonly to: number;
  /** Position across the axis at which it is drawn. */
  readonly across: number;
}

/** From each side of a box to the nearest box beside it, or to the edge of `frame` where there is none. */
export function distancesOf(box: Rect, others: readonly Rect[], frame: Rect): Distance[] {
  const found: Distance[] = [];
  for (const axis of ['x', 'y'] as const) {
    const [start, end, low, high] =
      axis === 'x'
        ? [box.x, box.x + box.w, box.y, box.y + box.h]
        : [box.y, box.y + box.h, box.x, box.x + box.w];
    const spans = others.map((other) =>
      axis === 'x'
        ? { start: other.x, end: other.x + other.w, low: other.y, high: other.y + other.h }
        : { start: other.y, end: other.y + other.h, low: other.x, high: other.x + other.w },
    );
    const beside = spans.filter((span) => span.low < high && span.high > low);
    const [first, last] = axis === 'x' ? [frame.x, frame.x + frame.w] : [frame.y, frame.y + frame.h];
    const before = Math.max(first, ...beside.map((span) => span.end).filter((at) => at <= start + 1e-6));
    const after = Math.min(last, ...beside.map((span) => span.start).filter((at) => at >= end - 1e-6));
    const across = (low + high) / 2;
    if (start - before > 0.01) found.push({ axis, from: before, to: start, across });
    if (after - end > 0.01) found.push({ axis, from: end, to: after, across });
  }
  return found;
}

/** The box around boxes; undefined for none. */
export function around(boxes: readonly Rect[]): Rect | undefined {
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    w: Math.max(...boxes.map((box) => box.x + box.w)) - x,
    h: Math.max(...boxes.map((box) => box.y + box.h)) - y,
  };
}
