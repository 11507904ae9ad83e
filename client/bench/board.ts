import { decodeTerrain, encodeTerrain } from '../src/core/board/terrain-data.ts';
import type { Layout } from '../src/core/scene/layout.ts';
import { newLayout } from '../src/core/scene/new-layout.ts';
import { gridOf, type MapZone } from '../src/core/scene/zones/map.ts';
import { newZone } from '../src/core/scene/zones.ts';

const SIDE = 100;

/** A board of 10,000 hexagons of eight terrains in patches, as a generator makes them. */
export function boardLayout(width = 560): Layout {
  const map = newZone('map', 'map', 'Map', { x: 0, y: 0, w: width, h: 490 });
  Object.assign(map, { cols: SIDE, rows: SIDE });
  const grid = gridOf(map);
  const terrain = Uint8Array.from({ length: SIDE * SIDE }, (_, cell) => {
    const [col, row] = [cell % SIDE, Math.floor(cell / SIDE)];
    return 1 + (Math.floor(4 + 4 * Math.sin(col / 5) * Math.cos(row / 4 + col / 17)) % 8);
  });
  map.data = encodeTerrain(grid, terrain);
  const layout = newLayout('Board', { preset: 'custom', w: width, h: 490, shape: 'rect', radius: 0 });
  return { ...layout, zones: [map] };
}

/** Size of a stored layout in kilobytes. */
export const sceneKilobytes = (layout: Layout): number => JSON.stringify(layout).length / 1000;

const TERRAINS = ['Plain', 'Forest', 'Hills', 'Mountains', 'Water', 'Desert', 'Swamp', 'Town'];

/** The same board as a map of Tiled, which the board maker opens. */
export function tiledText(): string {
  const map = boardLayout().zones[0] as MapZone;
  return JSON.stringify({
    orientation: 'hexagonal',
    width: SIDE,
    height: SIDE,
    tilewidth: 56,
    tileheight: 64,
    hexsidelength: 32,
    staggeraxis: 'y',
    staggerindex: 'odd',
    layers: [{ type: 'tilelayer', name: 'Ground', data: [...decodeTerrain(gridOf(map), map.data)] }],
    tilesets: [{ firstgid: 1, name: 'Ground', tiles: TERRAINS.map((type, id) => ({ id, type })) }],
  });
}
