import type { Scope } from '../expression/evaluate.ts';
import { rowScope } from '../expression/row-scope.ts';
import { isVisible, resolve } from '../scene/card/resolve.ts';
import type { Column, Row } from '../scene/card/row.ts';
import type { Issue } from '../scene/display/display-list.ts';
import { MAX_DEPTH } from '../scene/limits.ts';
import { definitionOf, isParent, type Zone } from '../scene/zones.ts';
import {
  type CardData,
  MAX_CARD_CELLS,
  MAX_CARD_STEPS,
  MAX_SHOWN,
  type ShownZone,
  takes,
  takesCells,
} from './card-data.ts';
import { parentLayout } from './zones.ts';

/**
 * The zones that one card shows, bindings resolved. Hidden zones, those whose formula says no, and empty ones that ask
 * to vanish are left out; so are containers that ask to vanish and have nothing left inside.
 */
export function resolveTree(
  zones: readonly Zone[],
  row: Row,
  columns: readonly Column[],
  issues: Issue[],
): ShownZone[] {
  let scope: Scope | undefined;
  const data: CardData = {
    row,
    columns,
    scope: (name, language) => {
      scope ??= rowScope(row, columns);
      return scope(name, language);
    },
    suffix: '',
    budget: { left: MAX_SHOWN },
    cells: { left: MAX_CARD_CELLS },
    steps: { left: MAX_CARD_STEPS },
    issues,
    show: resolveZones,
  };
  return resolveZones(zones, data, 0);
}

function resolveZones(zones: readonly Zone[], data: CardData, depth: number): ShownZone[] {
  if (depth >= MAX_DEPTH) return [];
  const shown: ShownZone[] = [];
  for (const original of zones) {
    if (!takes(data, original)) break;
    if (!isVisible(original, data.scope, data.issues, data.steps)) continue;
    const { zone, issues: found } = resolve(original, data.row, data.columns, data.scope, data.steps);
    data.issues.push(...found);
    if (zone.hidden || !takesCells(data, zone)) continue;
    const placed = place(zone, data, depth);
    if (placed) shown.push(placed);
  }
  return shown;
}

function place(zone: Zone, data: CardData, depth: number): ShownZone | undefined {
  if (isParent(zone)) return parentLayout(zone).show(zone, data, depth);
  if (zone.hideIfEmpty && definitionOf(zone).isEmpty(zone)) return undefined;
  return data.suffix === '' ? zone : { ...zone, id: `${zone.id}${data.suffix}` };
}
