import type { Scope, StepBudget } from '../expression/evaluate.ts';
import { rowScope } from '../expression/row-scope.ts';
import type { Value } from '../expression/value.ts';
import type { Issue } from '../scene/display-list.ts';
import { isVisible, resolve } from '../scene/resolve.ts';
import type { Column, Row } from '../scene/row.ts';
import { type ContainerZone, MAX_DEPTH, type Zone } from '../scene/zone.ts';
import { gridContainer } from './grid.ts';
import { iteratorContainer } from './iterator.ts';

/** A zone as one card shows it; grids and iterators have become containers of their cells and items. */
export type ShownZone = Exclude<Zone, { kind: 'container' | 'grid' | 'iterator' }> | ShownContainer;
export interface ShownContainer extends Omit<ContainerZone, 'children'> {
  readonly from: 'container' | 'grid' | 'iterator';
  readonly children: ShownZone[];
}

/** Most zones of one card; repeated and hidden ones are counted each time. */
export const MAX_SHOWN = 5_000;
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
  /** Steps left for formulas. */
  readonly steps: StepBudget;
  readonly issues: Issue[];
}

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
    scope: (name) => {
      scope ??= rowScope(row, columns);
      return scope(name);
    },
    suffix: '',
    budget: { left: MAX_SHOWN },
    steps: { left: MAX_CARD_STEPS },
    issues,
  };
  return resolveZones(zones, data, 0);
}

/** The same data with names of a repetition. */
export function within(data: CardData, names: Readonly<Record<string, Value>>, suffix: string): CardData {
  const own = new Map(Object.entries(names).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    ...data,
    suffix: `${data.suffix}${suffix}`,
    scope: (name) => own.get(name.trim().toLowerCase()) ?? data.scope(name),
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

export function resolveZones(zones: readonly Zone[], data: CardData, depth: number): ShownZone[] {
  if (depth >= MAX_DEPTH) return [];
  const shown: ShownZone[] = [];
  for (const original of zones) {
    if (!takes(data, original)) break;
    if (!isVisible(original, data.scope, data.issues, data.steps)) continue;
    const { zone, issues: found } = resolve(original, data.row, data.columns, data.scope, data.steps);
    data.issues.push(...found);
    if (zone.hidden) continue;
    const placed = place(zone, data, depth);
    if (placed) shown.push(placed);
  }
  return shown;
}

function place(zone: Zone, data: CardData, depth: number): ShownZone | undefined {
  const id = `${zone.id}${data.suffix}`;
  switch (zone.kind) {
    case 'container': {
      const children = resolveZones(zone.children, data, depth + 1);
      return vanishes(zone, children) ? undefined : { ...zone, id, from: 'container', children };
    }
    case 'grid':
      return { ...gridContainer(zone, data, depth), id };
    case 'iterator': {
      const container = iteratorContainer(zone, data, depth);
      return vanishes(zone, container.children) ? undefined : { ...container, id };
    }
    default:
      return zone.hideIfEmpty && isEmpty(zone) ? undefined : data.suffix === '' ? zone : { ...zone, id };
  }
}

const vanishes = (zone: Zone, children: readonly ShownZone[]): boolean =>
  zone.hideIfEmpty && children.length === 0;

function isEmpty(zone: Zone): boolean {
  if (zone.kind === 'text' || zone.kind === 'code') return zone.text.trim() === '';
  return zone.kind === 'image' && zone.source.trim() === '';
}

/** Id of the document's zone that a shown zone came from. */
export function sourceId(id: string): string {
  const mark = id.indexOf(REPEAT_MARK);
  return mark === -1 ? id : id.slice(0, mark);
}

/** Separates a zone's id from its number in a repetition; ids of zones do not contain it. */
export const REPEAT_MARK = '#';
