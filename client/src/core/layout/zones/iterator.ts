import { evaluate, listOf, numberOf, type Value } from '../../expression/expression.ts';
import { faultMessage } from '../../scene/card/resolve.ts';
import { MAX_ITEMS } from '../../scene/limits.ts';
import { newZone, type ZoneOf } from '../../scene/zones.ts';
import {
  type CardData,
  REPEAT_MARK,
  repetition,
  type ShownContainer,
  type ShownZone,
  takes,
  within,
} from '../card-data.ts';
import type { ParentLayout } from '../zone-layout.ts';

/** Items of an iterator; faults and omitted items are reported. */
function itemsOf(zone: ZoneOf<'iterator'>, data: CardData): readonly Value[] {
  const result = evaluate(zone.list, data.scope, data.steps);
  if (!result.ok) {
    data.issues.push({ zone: zone.id, code: 'formula', path: 'list', ...faultMessage('list', result.error) });
    return [];
  }
  const count = typeof result.value === 'object' ? undefined : numberOf(result.value);
  const items =
    count === undefined
      ? listOf(result.value)
      : Array.from({ length: Math.max(0, Math.min(MAX_ITEMS + 1, Math.round(count))) }, (_, at) => at + 1);
  if (items.length <= MAX_ITEMS) return items;
  const asked = count === undefined ? items.length : Math.round(count);
  data.issues.push({
    zone: zone.id,
    code: 'too-many-items',
    path: 'list',
    message: `An iterator repeats at most ${MAX_ITEMS} items: ${asked} were asked for, the rest is left out.`,
  });
  return items.slice(0, MAX_ITEMS);
}

function containerOf(zone: ZoneOf<'iterator'>, data: CardData, depth: number): ShownContainer | undefined {
  const box = { x: 0, y: 0, w: zone.itemW, h: zone.itemH };
  const items = itemsOf(zone, data).flatMap((item, at): ShownZone[] => {
    if (!takes(data, zone)) return [];
    const names = { [zone.variable]: item, [`${zone.variable}Index`]: at + 1 };
    const inner = within(data, names, `${REPEAT_MARK}${at + 1}`);
    return [repetition(zone, inner, box, data.show(zone.children, inner, depth + 1))];
  });
  if (zone.hideIfEmpty && items.length === 0) return undefined;
  const { children: _template, list: _list, variable: _variable, itemW: _w, itemH: _h, ...own } = zone;
  return {
    ...newZone('container', zone.id, zone.name, zone),
    ...own,
    id: `${zone.id}${data.suffix}`,
    kind: 'container',
    from: 'iterator',
    arrange: 'flex',
    children: items,
  };
}

/** An iterator becomes a flex container with a group for each item. */
export const ITERATOR: ParentLayout<ZoneOf<'iterator'>> = { show: containerOf };
