import { parseColour } from '../../scene/colour/colour.ts';
import type { Op, Rgba } from '../../scene/display/display-list.ts';
import type { Rect } from '../../scene/display/matrix.ts';

const BLACK: Rgba = [0, 0, 0, 1];

const colour = (text: string): Rgba => parseColour(text) ?? BLACK;

/** A filled rectangle, its corners rounded by `radius` millimetres. */
export function filled(box: Rect, fill: string, radius = 0): Op {
  return {
    op: 'path',
    outline: { kind: 'rect', box, radii: [radius, radius, radius, radius] },
    fill: { kind: 'solid', color: colour(fill) },
    stroke: null,
  };
}

/** A rounded rectangle with an edge. */
export function edged(
  box: Rect,
  {
    fill,
    edge,
    width,
    radius,
    dash = [],
  }: {
    readonly fill: string | null;
    readonly edge: string;
    readonly width: number;
    readonly radius: number;
    readonly dash?: readonly number[];
  },
): Op {
  return {
    op: 'path',
    outline: { kind: 'rect', box, radii: [radius, radius, radius, radius] },
    fill: fill === null ? null : { kind: 'solid', color: colour(fill) },
    stroke: { color: colour(edge), width, dash },
  };
}

/** A straight line, dotted where `dash` is given. */
export function line(
  from: readonly [number, number],
  to: readonly [number, number],
  color: string,
  width: number,
  dash: readonly number[] = [],
): Op {
  return {
    op: 'path',
    outline: {
      kind: 'path',
      commands: [
        ['M', ...from],
        ['L', ...to],
      ],
      evenOdd: false,
    },
    fill: null,
    stroke: { color: colour(color), width, dash, ...(dash.length > 0 && { cap: 'round' as const }) },
  };
}
