import type { Zone } from '../../../../../core/scene/zones.ts';
import { roundMm } from '../../geometry/snap.ts';

/** A zone moved by millimetres, in every language that has a place of its own for it, too. */
export function shifted<Z extends Zone>(zone: Z, dx: number, dy: number): Z {
  const moved = { ...zone, x: roundMm(zone.x + dx), y: roundMm(zone.y + dy) };
  if (!zone.languages) return moved;
  const languages = Object.entries(zone.languages).map(([tag, own]) => [
    tag,
    {
      ...own,
      ...(own.x !== undefined && { x: roundMm(own.x + dx) }),
      ...(own.y !== undefined && { y: roundMm(own.y + dy) }),
    },
  ]);
  return { ...moved, languages: Object.fromEntries(languages) };
}
