import { modulesOf } from '../code/modules.ts';
import type { Issue, Op, PathCommand } from '../scene/display-list.ts';
import type { Rect } from '../scene/matrix.ts';
import type { CodeZone } from '../scene/zone.ts';
import { rgba } from './paints.ts';

/** A code's dark modules as one path; a code that cannot be encoded is reported and leaves the zone empty. */
export function codeOps(zone: CodeZone, box: Rect): { ops: Op[]; issues: Issue[] } {
  const text = zone.text.trim();
  if (text === '') return { ops: [], issues: [] };
  const result = modulesOf(zone.symbology, text, zone.correction);
  if (!result.ok) {
    return { ops: [], issues: [{ zone: zone.id, code: 'bad-code', path: 'text', message: result.message }] };
  }
  const { modules } = result;
  const square = zone.symbology === 'qr';
  const cols = modules.cols + 2 * zone.quiet;
  const unitX = square ? Math.min(box.w, box.h) / cols : box.w / cols;
  const unitY = square ? unitX : box.h;
  const left = box.x + (box.w - unitX * modules.cols) / 2;
  const top = square ? box.y + (box.h - unitY * modules.rows) / 2 : box.y;
  const commands: PathCommand[] = [];
  for (let row = 0; row < modules.rows; row++) {
    for (let col = 0; col < modules.cols; col++) {
      if (!modules.isDark(col, row)) continue;
      const start = col;
      while (col + 1 < modules.cols && modules.isDark(col + 1, row)) col++;
      const [x, y] = [left + start * unitX, top + row * unitY];
      const [right, bottom] = [left + (col + 1) * unitX, y + unitY];
      commands.push(['M', x, y], ['L', right, y], ['L', right, bottom], ['L', x, bottom], ['Z']);
    }
  }
  const fill = { kind: 'solid', color: rgba(zone.color) } as const;
  return {
    ops: [{ op: 'path', outline: { kind: 'path', commands, evenOdd: false }, fill, stroke: null }],
    issues: [],
  };
}
