import type { Layout } from '../layout.ts';
import { definitionOf, isParent, type Zone } from '../zones.ts';
import { sameDocument } from './same-document.ts';

/** Change of one zone, of the card (`base`) or of the variables, icons and styles. */
export interface Difference {
  readonly what: 'added' | 'removed' | 'changed';
  /** Id of the zone; `base` is the card itself, `variables` its words, icons and styles. */
  readonly id: string;
  readonly name: string;
  /** Changed properties; empty for a zone that was added or removed. */
  readonly properties: readonly string[];
}

/** Properties without effect on a card's look. */
const IGNORED: ReadonlySet<string> = new Set(['id', 'children', 'guides', 'locked', 'version', 'zones']);

/** Differences between two versions of a layout, zone by zone in the order of the new one, removed zones last. */
export function layoutDifferences(before: Layout, after: Layout): Difference[] {
  const card = changedFields(before, after).filter((key) => key !== 'variables');
  const base = changedFields(before.base, after.base);
  const found: Difference[] = [];
  if (card.length + base.length > 0) {
    const properties = [...card.filter((key) => key !== 'base'), ...base];
    found.push({ what: 'changed', id: 'base', name: 'Card', properties });
  }
  if (!sameDocument(before.variables, after.variables))
    found.push({ what: 'changed', id: 'variables', name: 'Words, icons and styles', properties: [] });
  const [was, is] = [placed(before.zones), placed(after.zones)];
  for (const [id, now] of is) {
    const then = was.get(id);
    if (!then) found.push({ what: 'added', id, name: now.zone.name, properties: [] });
    else {
      const properties = changedProperties(then.zone, now.zone);
      if (then.place !== now.place) properties.push('place among the layers');
      if (properties.length > 0) found.push({ what: 'changed', id, name: now.zone.name, properties });
    }
  }
  for (const [id, { zone }] of was) {
    if (!is.has(id)) found.push({ what: 'removed', id, name: zone.name, properties: [] });
  }
  return found;
}

interface Placed {
  readonly zone: Zone;
  /** Its holder, and the zone it lies on. */
  readonly place: string;
}

function placed(zones: readonly Zone[], parent = '', found = new Map<string, Placed>()): Map<string, Placed> {
  let below = '';
  for (const zone of zones) {
    found.set(zone.id, { zone, place: `${parent} ${below}` });
    below = zone.id;
    if (isParent(zone)) placed(zone.children, zone.id, found);
  }
  return found;
}

function changedProperties(before: Zone, after: Zone): string[] {
  const fields = changedFields(before, after);
  const { describe } = definitionOf(after);
  if (!describe || before.kind !== after.kind) return fields;
  return fields.map((key) => describe(key, before, after) ?? key);
}

function changedFields(before: object, after: object): string[] {
  const [was, is] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (key) => !IGNORED.has(key) && !sameDocument(was[key], is[key]),
  );
}
