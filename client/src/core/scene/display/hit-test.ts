import type { DisplayList, ZoneFrame } from './display-list.ts';
import { applyTo, invert, type Point } from './matrix.ts';
import { contains } from './outline.ts';

/** Millimetres around thin zones that still count as the zone. */
const DEFAULT_SLACK_MM = 0;

/**
 * The zones under a point of the card (millimetres from the trim's corner), front first. The base is
 * last, wherever the point is on the card.
 */
export function hitTestAll(list: DisplayList, point: Point, slack = DEFAULT_SLACK_MM): ZoneFrame[] {
  const hits: ZoneFrame[] = [];
  for (let index = list.zones.length - 1; index >= 0; index--) {
    const frame = list.zones[index];
    if (frame && isHit(frame, point, slack)) hits.push(frame);
  }
  return hits;
}

/** The front zone under a point, except the base; undefined when there is none. */
export function hitTest(list: DisplayList, point: Point, slack = DEFAULT_SLACK_MM): ZoneFrame | undefined {
  return hitTestAll(list, point, slack).find(({ kind }) => kind !== 'base');
}

function isHit(frame: ZoneFrame, point: Point, slack: number): boolean {
  const back = invert(frame.matrix);
  if (!back) return false;
  const local = applyTo(back, point);
  if (contains(frame.outline, local)) return true;
  if (slack <= 0) return false;
  const { x, y, w, h } = frame.box;
  const outside =
    local.x < x - slack || local.y < y - slack || local.x > x + w + slack || local.y > y + h + slack;
  return !outside && (w < 2 * slack || h < 2 * slack);
}
