import { countOf, MAX_MAP_CELLS } from '../board/grid.ts';
import type { Scope, StepBudget } from '../expression/evaluate.ts';
import type { Value } from '../expression/value.ts';
import type { Column, Row } from '../scene/card/row.ts';
import type { Issue } from '../scene/display/display-list.ts';
import type { Rect } from '../scene/display/matrix.ts';
import { gridOf } from '../scene/zones/map.ts';
import { type LeafZone, newZone, type ParentZone, type Zone, type ZoneOf } from '../scene/zones.ts';

/** A zone as one card shows it; grids and iterators have become containers of their cells and items. */
export type ShownZone = LeafZone | ShownContainer;
export interface ShownContainer extends Omit<ZoneOf<'container'>, 'children'> {
  /** Kind of the zone that became the container. */
  readonly from: ParentZone['kind'];
  readonly children: ShownZone[];
}

/** Most zones of one card; repeated and hidden ones are counted each time. */
export const MAX_SHOWN = 5_000;
/** Most cells of all maps of one card together; a map that is repeated is counted each time. */
export const MAX_CARD_CELLS = 3 * MAX_MAP_CELLS;
/** Most steps of all formulas of one card together. */
export const MAX_CARD_STEPS = 2_000_000;

/** Inputs for resolving the zones of one card. */
export interface CardData {
  readonly row: Row;
  readonly columns: readonly Column[];
  readonly scope: Scope;
  /** Suffix of repeated zones' ids, to tell them apart; empty outside of repetitions. */
  readonly suffix: string;
  readonly budget: { left: number };
  /** Cells left for maps. */
  readonly cells: { left: number };
  /** Steps left for formulas. */
  readonly steps: StepBudget;
  readonly issues: Issue[];
  /**
   * The zones that the card shows of these, bindings resolved.
   * @param depth nesting of the zones; too deep ones are left out
   */
  readonly show: (zones: readonly Zone[], data: CardData, depth: number) => ShownZone[];
}

/** The same data with names of a repetition. */
export function within(data: CardData, names: Readonly<Record<string, Value>>, suffix: string): CardData {
  const own = new Map(Object.entries(names).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    ...data,
    suffix: `${data.suffix}${suffix}`,
    scope: (name, language) =>
      (language === undefined ? own.get(name.trim().toLowerCase()) : undefined) ?? data.scope(name, language),
  };
}

/** Counts one more zone, cell or item of a card; the first that exceeds the limit is reported. */
export function takes(data: CardData, { id }: Pick<Zone, 'id'>): boolean {
  data.budget.left--;
  if (data.budget.left === -1) {
    const message = `A card has at most ${MAX_SHOWN} zones, repeated ones counted each time: the rest is left out.`;
    data.issues.push({ zone: id, code: 'too-many-items', message });
  }
  return data.budget.left >= 0;
}

/** Counts the cells of a map; the first that does not fit is reported, and the rest is left out. Others have none. */
export function takesCells(data: CardData, zone: Zone): boolean {
  if (zone.kind !== 'map') return true;
  const count = countOf(gridOf(zone));
  if (count <= data.cells.left) {
    data.cells.left -= count;
    return true;
  }
  if (data.cells.left >= 0) {
    const message = `The maps of a card have at most ${MAX_CARD_CELLS} cells together, repeated ones counted each time: the rest is left out.`;
    data.issues.push({ zone: zone.id, code: 'too-many-items', message });
    data.cells.left = -1;
  }
  return false;
}

/** Container of what one repetition of a zone shows. */
export function repetition(
  zone: ParentZone,
  data: CardData,
  box: Rect,
  children: ShownZone[],
): ShownContainer {
  const container = newZone('container', `${zone.id}${data.suffix}`, zone.name, box);
  return { ...container, from: zone.kind, arrange: 'free', children };
}

/** Id of the document's zone that a shown zone came from. */
export function sourceId(id: string): string {
  const mark = id.indexOf(REPEAT_MARK);
  return mark === -1 ? id : id.slice(0, mark);
}

/** Separates a zone's id from its number in a repetition; ids of zones do not contain it. */
export const REPEAT_MARK = '#';
