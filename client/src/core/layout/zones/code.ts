import { type Modules, modulesOf } from '../../code/modules.ts';
import type { PathCommand } from '../../scene/display/display-list.ts';
import type { Rect } from '../../scene/display/matrix.ts';
import { rectOutline } from '../../scene/display/outline.ts';
import type { CodeZone } from '../../scene/zones/code.ts';
import { rgba } from '../paints.ts';
import type { LeafLayout } from '../zone-layout.ts';

/** Outlines of a code's dark modules. */
function modulePaths(zone: CodeZone, modules: Modules, box: Rect): PathCommand[] {
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
  return commands;
}

/** A code that cannot be encoded is reported and leaves the zone empty. */
export const CODE: LeafLayout<CodeZone> = {
  outline: ({ radius }, box) => rectOutline(box, radius),
  paint(zone, box, _outline, card) {
    const text = zone.text.trim();
    if (text === '') return undefined;
    const result = modulesOf(zone.symbology, text, zone.correction);
    if (!result.ok) {
      card.report({ zone: zone.id, code: 'bad-code', path: 'text', message: result.message });
      return undefined;
    }
    const commands = modulePaths(zone, result.modules, box);
    const fill = { kind: 'solid', color: rgba(zone.color) } as const;
    card.paint({ op: 'path', outline: { kind: 'path', commands, evenOdd: false }, fill, stroke: null });
    return undefined;
  },
};
