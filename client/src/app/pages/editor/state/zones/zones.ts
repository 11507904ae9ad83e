import type { Binding } from '../../../../../core/scene/binding.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import {
  isParent,
  type ParentZone,
  ZONES,
  type Zone,
  type ZoneKind,
} from '../../../../../core/scene/zones.ts';

/** Every zone of a layout, parents before children, back to front. */
export function allZones(zones: readonly Zone[]): Zone[] {
  return zones.flatMap((zone) => (isParent(zone) ? [zone, ...allZones(zone.children)] : [zone]));
}

/** The zone of that id. */
export function findZone(scene: Layout, id: string | null): Zone | undefined {
  return id === null ? undefined : allZones(scene.zones).find((zone) => zone.id === id);
}

/** The list a zone is in, for changing it. */
export function siblingsOf(zones: Zone[], id: string): Zone[] | undefined {
  if (zones.some((zone) => zone.id === id)) return zones;
  for (const zone of zones) {
    const found = isParent(zone) ? siblingsOf(zone.children, id) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** The zones that hold a zone, outermost first. */
export function parentsOf(zones: readonly Zone[], id: string): ParentZone[] {
  for (const zone of zones) {
    if (!isParent(zone)) continue;
    if (zone.children.some((child) => child.id === id)) return [zone];
    const inner = parentsOf(zone.children, id);
    if (inner.length > 0) return [zone, ...inner];
  }
  return [];
}

/** Of these zones, those that are in none of the others: what moves with its parent is left out. */
export function outermost(scene: Layout, ids: readonly string[]): string[] {
  const chosen = new Set(ids);
  return ids.filter((id) => !parentsOf(scene.zones, id).some((parent) => chosen.has(parent.id)));
}

/** Takes a zone out of its list and answers it. */
export function takeOut(zones: Zone[], id: string): Zone | undefined {
  const list = siblingsOf(zones, id);
  const at = list?.findIndex((zone) => zone.id === id) ?? -1;
  return list && at >= 0 ? list.splice(at, 1)[0] : undefined;
}

/** `Text`, `Text 2` … whichever is free. */
export function freeName(scene: Layout, kind: ZoneKind): string {
  const taken = new Set(allZones(scene.zones).map((zone) => zone.name));
  const base = ZONES[kind].newName;
  if (!taken.has(base)) return base;
  for (let n = 2; ; n++) if (!taken.has(`${base} ${n}`)) return `${base} ${n}`;
}

/** True if a zone still has its default name. */
export function hasGivenName(zone: Zone): boolean {
  return new RegExp(`^${ZONES[zone.kind].newName}( \\d+)?$`).test(zone.name);
}

/**
 * Has a column or a formula drive a property of a zone, or lets the zone's own value stand. A zone that
 * nobody has named takes the column's name.
 */
export function bind(zone: Zone, path: string, binding: Binding | undefined): void {
  if (binding === undefined) {
    delete zone.bindings[path];
    return;
  }
  const content = path === 'text' || path === 'source';
  if (binding.mode === 'column' && content && hasGivenName(zone)) zone.name = binding.column;
  zone.bindings[path] = binding;
}
