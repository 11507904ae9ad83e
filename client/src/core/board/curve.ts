import type { PathCommand } from '../scene/display/display-list.ts';
import type { Point } from '../scene/display/matrix.ts';

/** Lines through points, straight or curved, and places along them. */

export interface Course {
  readonly points: readonly Point[];
  /** The line runs smoothly through its points. */
  readonly smooth: boolean;
  /** The last point is joined to the first. */
  readonly closed: boolean;
}

/** Straight pieces that a curved stretch is measured by. */
const PIECES = 24;
/** Share of the way to the neighbours that a curve's control points lie at: that of Catmull and Rom. */
const TENSION = 1 / 6;

type Stretch = readonly [Point, Point, Point, Point];

/** The stretches between points, as cubic curves. */
function stretchesOf({ points, smooth, closed }: Course): Stretch[] {
  const count = points.length;
  if (count < 2) return [];
  const at = (index: number): Point => {
    const turned = closed ? (index + count) % count : Math.min(count - 1, Math.max(0, index));
    return points[turned] ?? { x: 0, y: 0 };
  };
  return Array.from({ length: closed ? count : count - 1 }, (_, index): Stretch => {
    const [from, to] = [at(index), at(index + 1)];
    if (!smooth) return [from, from, to, to];
    const [before, after] = [at(index - 1), at(index + 2)];
    return [
      from,
      { x: from.x + (to.x - before.x) * TENSION, y: from.y + (to.y - before.y) * TENSION },
      { x: to.x - (after.x - from.x) * TENSION, y: to.y - (after.y - from.y) * TENSION },
      to,
    ];
  });
}

/** The line as a path. */
export function coursePath(course: Course): PathCommand[] {
  const stretches = stretchesOf(course);
  const [first] = stretches;
  if (!first) return [];
  const commands: PathCommand[] = [['M', first[0].x, first[0].y]];
  for (const [, a, b, to] of stretches) {
    if (course.smooth) commands.push(['C', a.x, a.y, b.x, b.y, to.x, to.y]);
    else commands.push(['L', to.x, to.y]);
  }
  if (course.closed) commands.push(['Z']);
  return commands;
}

function pointOn([from, a, b, to]: Stretch, t: number): Point {
  const s = 1 - t;
  const [wf, wa, wb, wt] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
  return {
    x: wf * from.x + wa * a.x + wb * b.x + wt * to.x,
    y: wf * from.y + wa * a.y + wb * b.y + wt * to.y,
  };
}

/** The line as short straight pieces. */
export function flattened(course: Course): Point[] {
  const stretches = stretchesOf(course);
  const [first] = stretches;
  if (!first) return [...course.points];
  const points = [first[0]];
  for (const stretch of stretches) {
    const pieces = course.smooth ? PIECES : 1;
    for (let piece = 1; piece <= pieces; piece++) points.push(pointOn(stretch, piece / pieces));
  }
  return points;
}

/** A place on a line and its direction there, in radians clockwise from the right. */
export interface PlaceOnCourse extends Point {
  readonly angle: number;
}

/** Places at equal distances along a line: both ends included, or all the way round a closed one. */
export function placesAlong(course: Course, count: number): PlaceOnCourse[] {
  const points = flattened(course);
  const lengths = [0];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before) lengths.push((lengths.at(-1) ?? 0) + Math.hypot(point.x - before.x, point.y - before.y));
  }
  const whole = lengths.at(-1) ?? 0;
  const gaps = course.closed ? count : Math.max(1, count - 1);
  let piece = 1;
  return Array.from({ length: points.length < 2 ? 0 : count }, (_, index) => {
    const wanted = (whole * index) / gaps;
    while (piece < points.length - 1 && (lengths[piece] ?? 0) < wanted) piece++;
    const [from, to] = [points[piece - 1] ?? { x: 0, y: 0 }, points[piece] ?? { x: 0, y: 0 }];
    const [start, end] = [lengths[piece - 1] ?? 0, lengths[piece] ?? 0];
    const share = end > start ? (wanted - start) / (end - start) : 0;
    return {
      x: from.x + (to.x - from.x) * share,
      y: from.y + (to.y - from.y) * share,
      angle: Math.atan2(to.y - from.y, to.x - from.x),
    };
  });
}

/** Length of a line, in the unit of its points. */
export function lengthOf(course: Course): number {
  return flattened(course).reduce((sum, point, index, all) => {
    const before = all[index - 1];
    return before ? sum + Math.hypot(point.x - before.x, point.y - before.y) : sum;
  }, 0);
}
