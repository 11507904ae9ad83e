import type { Layout } from '../../scene/layout.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone, type ZoneOf } from '../../scene/zones.ts';
import { sizeFor } from '../placing.ts';
import { plainTraits } from '../space.ts';
import type { TiledMap } from './read-tiled.ts';

/** Width of a cell across its sides, in millimetres, where the board stays within its largest side. */
const PITCH_MM = 20;
const LARGEST_MM = 900;
/** Room around the map. */
const MARGIN_MM = 10;
/** Size of a space for one piece, in shares of a cell. */
const SPOT_SHARE = 0.6;

/** A board as large as a map of Tiled, with its objects as spaces over it. */
export function boardOfTiled(name: string, map: TiledMap, newId: () => string): Layout {
  const whole = sizeFor(map.grid, PITCH_MM, 0);
  const scale = Math.min(1, LARGEST_MM / Math.max(whole.w, whole.h));
  const [w, h] = [whole.w * scale, whole.h * scale];
  const round = (mm: number) => Math.round(mm * 100) / 100;
  const layout = newLayout(name, {
    preset: 'custom',
    w: round(w + 2 * MARGIN_MM),
    h: round(h + 2 * MARGIN_MM),
    shape: 'rect',
    radius: 0,
  });
  const zone: ZoneOf<'map'> = {
    ...newZone('map', newId(), 'Map', { x: MARGIN_MM, y: MARGIN_MM, w: round(w), h: round(h) }),
    ...map.grid,
    terrains: [...map.terrains],
    data: map.data,
    spaces: [{ id: newId(), of: 'all', terrain: '', range: '', ...plainTraits('spot') }],
  };
  const spot = PITCH_MM * scale * SPOT_SHARE;
  const ids = map.spaces.map(newId);
  const spaces = map.spaces.map((space, at): ZoneOf<'space'> => {
    const { name, role, turning, turn, accepts, holds, order, links, rotation } = space;
    const [sw, sh] = space.w > 0 ? [space.w * w, space.h * h] : [spot, spot];
    const [x, y] =
      space.w > 0 ? [space.x * w, space.y * h] : [space.x * w - spot / 2, space.y * h - spot / 2];
    const box = { x: round(MARGIN_MM + x), y: round(MARGIN_MM + y), w: round(sw), h: round(sh) };
    return {
      ...newZone('space', ids[at] ?? newId(), name, box),
      ...{ role, turning, turn, holds, order, rotation },
      accepts: [...accepts],
      links: links.flatMap((index) => ids[index] ?? []),
    };
  });
  layout.zones = [zone, ...spaces];
  return layout;
}
