import { coursePath, flattened } from '../../board/curve.ts';
import type { Outline, StrokePaint } from '../../scene/display/display-list.ts';
import type { Point } from '../../scene/display/matrix.ts';
import { rectOutline } from '../../scene/display/outline.ts';
import { courseOf, type PathZone } from '../../scene/zones/path.ts';
import { rgba } from '../paints.ts';
import type { LeafLayout } from '../zone-layout.ts';

/** Length and width of an arrow head, in widths of the line. */
const HEAD = 4;

function strokeOf({ color, width, dash }: PathZone): StrokePaint {
  const line = { color: rgba(color), width, join: 'round' } as const;
  if (dash === 'dashed') return { ...line, dash: [3 * width, 2 * width] };
  // Dots are dashes without length, round at both ends.
  if (dash === 'dotted') return { ...line, dash: [0, 2 * width], cap: 'round' };
  return { ...line, dash: [], cap: 'round' };
}

/** A head at the end of a line, its tip on the last point. */
function headAt(line: readonly Point[], width: number): Outline | undefined {
  const tip = line.at(-1);
  const from = tip && line.findLast(({ x, y }) => Math.hypot(tip.x - x, tip.y - y) >= (HEAD * width) / 2);
  if (!tip || !from) return undefined;
  const length = Math.hypot(tip.x - from.x, tip.y - from.y);
  const [dx, dy] = [(tip.x - from.x) / length, (tip.y - from.y) / length];
  const [back, side] = [HEAD * width, (HEAD * width) / 2];
  return {
    kind: 'polygon',
    points: [
      // A little beyond the point, so that the line's end does not show at its sides.
      { x: tip.x + dx * width, y: tip.y + dy * width },
      { x: tip.x - dx * back - dy * side, y: tip.y - dy * back + dx * side },
      { x: tip.x - dx * back + dy * side, y: tip.y - dy * back - dx * side },
    ],
  };
}

export const PATH: LeafLayout<PathZone> = {
  outline: (_zone, box) => rectOutline(box),
  paint(zone, box, _outline, card) {
    const course = courseOf(zone, box);
    const commands = coursePath(course);
    const color = rgba(zone.color);
    if (commands.length === 0 || zone.width <= 0 || color[3] === 0) return undefined;
    const outline: Outline = { kind: 'path', commands, evenOdd: false };
    card.paint({ op: 'path', outline, fill: null, stroke: strokeOf(zone) });
    if (zone.arrow === 'none' || zone.closed) return undefined;
    const line = flattened(course);
    const heads = [
      headAt(line, zone.width),
      zone.arrow === 'both' ? headAt(line.toReversed(), zone.width) : undefined,
    ];
    for (const head of heads)
      if (head) card.paint({ op: 'path', outline: head, fill: { kind: 'solid', color }, stroke: null });
    return undefined;
  },
};
