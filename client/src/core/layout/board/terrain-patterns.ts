import type { Terrain } from '../../scene/board/terrain.ts';
import { patternFigure } from '../../scene/board/terrain-figures.ts';
import { clipShape } from '../../scene/display/clip-path.ts';
import type { Outline, StampOp } from '../../scene/display/display-list.ts';
import { rgba } from '../paints.ts';

/** Share of a cell's width that a pattern takes. */
const REACH = 0.78;
/** Width of a pattern's lines as a share of a cell's width. */
const LINE = 0.035;
const THINNEST_MM = 0.08;

/** A terrain's pattern at the middles of its cells; undefined without one. */
export function patternStamp(terrain: Terrain, pitch: number, at: readonly number[]): StampOp | undefined {
  const figure = patternFigure(terrain.pattern);
  const color = rgba(terrain.ink);
  if (!figure || color[3] === 0 || at.length === 0 || pitch <= 0) return undefined;
  const side = pitch * REACH;
  const commands = clipShape(figure.path, { x: -side / 2, y: -side / 2, w: side, h: side });
  if (!commands) return undefined;
  const outline: Outline = { kind: 'path', commands, evenOdd: false };
  const width = Math.max(THINNEST_MM, LINE * pitch);
  return figure.filled
    ? { op: 'stamp', outline, fill: { kind: 'solid', color }, stroke: null, at }
    : {
        op: 'stamp',
        outline,
        fill: null,
        stroke: { color, width, dash: [], cap: 'round', join: 'round' },
        at,
      };
}
