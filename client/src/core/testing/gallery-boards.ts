import { encodeEdges } from '../board/edges.ts';
import { countOf, sidesOf } from '../board/grid.ts';
import { encodeTerrain } from '../board/terrain-data.ts';
import { STARTING_TERRAINS, type Terrain } from '../scene/board/terrain.ts';
import { gridOf, type MapZone } from '../scene/zones/map.ts';
import type { PathZone } from '../scene/zones/path.ts';
import { newZone } from '../scene/zones.ts';
import { type Box, boxed, card, type GalleryCard, nextId } from './gallery-build.ts';

/** A map whose cells and sides have all of its terrains and edges, some of both none. */
function map(box: Box, change: Partial<MapZone>): MapZone {
  const zone: MapZone = { ...newZone('map', nextId(), 'Map', boxed(box)), ...change };
  const grid = gridOf(zone);
  const [terrains, kinds] = [zone.terrains.length + 1, zone.edgeKinds.length + 1];
  const cells = Uint8Array.from({ length: countOf(grid) }, (_, cell) => (cell * 5 + (cell >> 2)) % terrains);
  const edges = Uint8Array.from({ length: countOf(grid) * sidesOf(grid) }, (_, edge) =>
    edge % 3 === 0 ? (edge * 7 + (edge >> 3)) % kinds : 0,
  );
  return { ...zone, data: encodeTerrain(grid, cells), edges: encodeEdges(grid, edges) };
}

function path(box: Box, change: Partial<PathZone>): PathZone {
  return { ...newZone('path', nextId(), 'Path', boxed(box)), ...change };
}

/** Terrains with a picture each, over a ground that shows through it or beside it. */
const pictured = (...looks: readonly Partial<Terrain>[]): Terrain[] =>
  looks.flatMap((look, at) => {
    const terrain = STARTING_TERRAINS[at];
    return terrain ? [{ ...terrain, ...look }] : [];
  });

export function boardCards(): GalleryCard[] {
  return [
    card('hexes', [
      map([3, 3, 57, 40], { cells: 'hex-pointy', cols: 7, rows: 5, labels: 'A1' }),
      map([3, 46, 57, 40], { cells: 'hex-flat', cols: 7, rows: 4, gap: 0.6, labels: '0101' }),
    ]),
    card('squares', [
      map([3, 3, 57, 40], { cells: 'square', cols: 8, rows: 5 }),
      map([3, 46, 57, 40], { cells: 'offset', cols: 8, rows: 5, rotation: 8, opacity: 0.8 }),
    ]),
    card('pictured cells', [
      map([3, 3, 57, 40], {
        cells: 'hex-pointy',
        cols: 6,
        rows: 4,
        edgeKinds: [],
        terrains: pictured({ source: 'Art/dusk.jpg' }, { source: 'Icons/drop.png', fit: 'contain' }, {}),
      }),
      map([3, 46, 28, 40], {
        cells: 'hex-flat',
        cols: 4,
        rows: 4,
        gap: 0.8,
        edgeKinds: [],
        terrains: pictured({ source: 'Icons/badge.svg' }, { source: 'Art/dusk.jpg', fit: 'stretch' }),
      }),
      map([34, 48, 24, 34], {
        cells: 'square',
        cols: 4,
        rows: 5,
        rotation: 12,
        opacity: 0.7,
        cellStroke: { color: '#000000', width: 0, align: 'center', dash: [] },
        edgeKinds: [],
        terrains: pictured({ source: 'Frames/rope.png' }, { source: 'Art/dusk.jpg' }),
      }),
    ]),
    card('cut rims', [
      map([3, 3, 57, 40], { cells: 'hex-pointy', cols: 7, rows: 5, rims: 'cut' }),
      map([3, 46, 57, 18], { cells: 'offset', cols: 8, rows: 3, rims: 'cut' }),
      map([3, 66, 57, 20], { cells: 'hex-flat', cols: 9, rows: 3, gap: 0.6, rims: 'cut', rotation: 4 }),
    ]),
    card('paths', [
      path([5, 5, 50, 20], { arrow: 'end' }),
      path([5, 32, 50, 20], { dash: 'dashed', width: 1.6, color: '#7a1f2b', rotation: 15, arrow: 'both' }),
      path([8, 58, 45, 25], { closed: true, dash: 'dotted', width: 2, smooth: false, color: '#1d5c63' }),
    ]),
  ];
}
