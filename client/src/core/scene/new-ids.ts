import { isParent, type Zone } from './zones.ts';

/** Copies of zones with ids of their own, also inside; what the zones name of one another, their copies do. */
export function withNewIds<Z extends Zone>(zones: readonly Z[], newId: () => string): Z[] {
  const copies = zones.map((zone) => structuredClone(zone));
  const ids = new Map<string, string>();
  const all: Zone[] = [];
  const visit = (zone: Zone): void => {
    const id = newId();
    ids.set(zone.id, id);
    zone.id = id;
    all.push(zone);
    if (isParent(zone)) zone.children.forEach(visit);
  };
  copies.forEach(visit);
  const renamed = (id: string): string => ids.get(id) ?? id;
  for (const zone of all) {
    if (zone.kind === 'path') zone.ends = { from: renamed(zone.ends.from), to: renamed(zone.ends.to) };
    if (zone.kind === 'space') zone.links = zone.links.map(renamed);
  }
  return copies;
}
