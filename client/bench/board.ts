import { encodeTerrain } from '../src/core/board/terrain-data.ts';
import type { Layout } from '../src/core/scene/layout.ts';
import { newLayout } from '../src/core/scene/new-layout.ts';
import { gridOf } from '../src/core/scene/zones/map.ts';
import { newZone } from '../src/core/scene/zones.ts';

const SIDE = 100;

/** A board of 10,000 hexagons of eight terrains in patches, as a generator makes them. */
export function boardLayout(): Layout {
  const map = newZone('map', 'map', 'Map', { x: 0, y: 0, w: 560, h: 490 });
  Object.assign(map, { cols: SIDE, rows: SIDE });
  const grid = gridOf(map);
  const terrain = Uint8Array.from({ length: SIDE * SIDE }, (_, cell) => {
    const [col, row] = [cell % SIDE, Math.floor(cell / SIDE)];
    return 1 + (Math.floor(4 + 4 * Math.sin(col / 5) * Math.cos(row / 4 + col / 17)) % 8);
  });
  map.data = encodeTerrain(grid, terrain);
  const layout = newLayout('Board', { preset: 'custom', w: 560, h: 490, shape: 'rect', radius: 0 });
  return { ...layout, zones: [map] };
}

/** Size of a stored layout in kilobytes. */
export const sceneKilobytes = (layout: Layout): number => JSON.stringify(layout).length / 1000;
