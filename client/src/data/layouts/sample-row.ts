import { bareRecord } from '../../core/records.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { isParent, type Zone } from '../../core/scene/zones.ts';

/**
 * Cells for a layout that is looked at without a table: its own sample card. A text bound to any other
 * column shows the column's name, so that one sees what goes where.
 */
export function sampleCells(layout: Layout): Record<string, string> {
  const cells = bareRecord<string>(Object.entries(layout.sample ?? {}));
  const visit = (zone: Zone): void => {
    const binding = zone.bindings.text;
    if (binding?.mode === 'column' && !Object.hasOwn(cells, binding.column))
      cells[binding.column] = binding.column;
    if (isParent(zone)) for (const child of zone.children) visit(child);
  };
  for (const zone of layout.zones) visit(zone);
  return cells;
}
