import { isParent, type Layout, type Zone, type ZoneKind } from '../../../../core/scene/zone.ts';

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

const KIND_NAMES: Readonly<Record<ZoneKind, string>> = {
  text: 'Text',
  image: 'Image',
  shape: 'Shape',
  container: 'Group',
  grid: 'Grid',
  iterator: 'Iterator',
  code: 'Code',
};

/** `Text`, `Text 2` … whichever is free. */
export function freeName(scene: Layout, kind: ZoneKind): string {
  const taken = new Set(allZones(scene.zones).map((zone) => zone.name));
  const base = KIND_NAMES[kind];
  if (!taken.has(base)) return base;
  for (let n = 2; ; n++) if (!taken.has(`${base} ${n}`)) return `${base} ${n}`;
}

/** Whether a zone still has the name it was given when it was added. */
export function hasGivenName(zone: Zone): boolean {
  return new RegExp(`^${KIND_NAMES[zone.kind]}( \\d+)?$`).test(zone.name);
}

/**
 * Has a column drive a property of a zone, or lets the zone's own value stand. A zone that nobody has
 * named takes the column's name.
 */
export function bindColumn(zone: Zone, path: string, column: string | undefined): void {
  if (column === undefined) {
    delete zone.bindings[path];
    return;
  }
  if (hasGivenName(zone) && (path === 'text' || path === 'source')) zone.name = column;
  zone.bindings[path] = { mode: 'column', column };
}
