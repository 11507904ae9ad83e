import { generateTerrain } from '../../../../core/board/generate-terrain.ts';
import type { CellGrid } from '../../../../core/board/grid.ts';
import { plainTraits } from '../../../../core/board/space.ts';
import { encodeTerrain } from '../../../../core/board/terrain-data.ts';
import { networkZones } from '../../../../core/generators/network-zones.ts';
import { plainTerrains, STARTING_TERRAINS } from '../../../../core/scene/board/terrain.ts';
import { label, linear, nextId, shape } from '../../layouts/templates/build.ts';
import { type BoardStart, board, lineThrough, map } from './build.ts';

/** Boards to travel and to fight over. */

const numbered = { color: '#5b5443', width: 0.25, align: 'center' as const, dash: [] };

/** Terrain at random, the same each time. @param shares percent of the cells by terrain number */
function random(
  grid: CellGrid,
  seed: string,
  clumping: number,
  shares: Readonly<Record<number, number>>,
): string {
  const { cells } = generateTerrain(grid, new Uint8Array(grid.cols * grid.rows), {
    seed,
    amounts: 'percent',
    clumping,
    shares: new Map(Object.entries(shares).map(([terrain, share]) => [Number(terrain), share])),
    symmetry: 'none',
    apart: [],
    emptyOnly: false,
  });
  return encodeTerrain(grid, cells);
}

/** Rows of an island of hexagons: wide in the middle, a cell narrower with each row from there. */
function islandCells(grid: CellGrid, reach: number): number[] {
  const middle = (grid.rows - 1) / 2;
  return Array.from({ length: grid.cols * grid.rows }, (_, cell) => cell).filter((cell) => {
    const [col, row] = [cell % grid.cols, Math.floor(cell / grid.cols)];
    const away = Math.abs(row - middle);
    const centre = col + (row & 1) / 2 - (grid.cols - 1) / 2 - (middle & 1) / 2;
    return away <= reach && Math.abs(centre) <= reach - away / 2 + 0.01;
  });
}

const ISLAND_LANDS = [2, 3, 4, 1, 6];

const island = (): BoardStart =>
  board(
    'island',
    'Island of hexagons',
    'Nineteen lands in a sea, for settling and trading',
    { w: 18, h: 18, fold: 'four' },
    linear(180, '#8ec3d6', '#5b9dbb'),
    (w, h) => {
      const grid: CellGrid = { cells: 'hex-pointy', cols: 7, rows: 7 };
      const terrain = new Uint8Array(grid.cols * grid.rows).fill(5);
      for (const [at, cell] of islandCells(grid, 2).entries())
        terrain[cell] = ISLAND_LANDS[(at * 3) % ISLAND_LANDS.length] ?? 1;
      return [
        map('Island', [22, 22, w - 44, h - 44], {
          ...grid,
          terrains: STARTING_TERRAINS.map((one) => ({ ...one })),
          data: encodeTerrain(grid, terrain),
          gap: 1.2,
          cellStroke: { color: '#3c5a66', width: 0.8, align: 'center', dash: [] },
          spaces: [{ id: 's1', of: 'all', terrain: '', range: '', ...plainTraits('area') }],
        }),
      ];
    },
  );

const campaign = (): BoardStart =>
  board(
    'campaign',
    'Campaign map',
    'Numbered hexagons with terrain and a river, for wargames',
    { w: 24, h: 14 },
    '#efe9d6',
    (w, h) => {
      const grid: CellGrid = { cells: 'hex-flat', cols: 34, rows: 16 };
      return [
        map('Ground', [10, 10, w - 20, h - 34], {
          ...grid,
          data: random(grid, 'campaign', 4, { 1: 52, 2: 18, 3: 12, 4: 5, 6: 3, 7: 4, 8: 3, 5: 3 }),
          labels: '0101',
          labelSize: 5,
          labelColor: '#6b6350',
          cellStroke: numbered,
          spaces: [{ id: 's1', of: 'all', terrain: '', range: '', ...plainTraits('spot') }],
        }),
        lineThrough(
          'River',
          [
            [w * 0.18, 12],
            [w * 0.24, h * 0.3],
            [w * 0.2, h * 0.5],
            [w * 0.36, h * 0.66],
            [w * 0.42, h - 28],
          ],
          { color: '#4d86a3', width: 3.2, smooth: true },
        ),
        lineThrough(
          'Road',
          [
            [12, h * 0.62],
            [w * 0.3, h * 0.44],
            [w * 0.62, h * 0.52],
            [w - 12, h * 0.26],
          ],
          {
            color: '#83402f',
            width: 1.4,
            smooth: true,
            dash: 'dashed',
          },
        ),
        label('Title', [14, h - 22, w / 2, 14], 'Campaign', {
          family: 'cinzel',
          weight: 700,
          size: 24,
          color: '#4a4331',
        }),
        shape('Scale', [w - 74, h - 14, 60, 2], { fill: '#4a4331' }),
      ];
    },
  );

/** Rooms of the dungeon by column, row, width and height. */
const ROOMS = [
  [1, 1, 6, 5],
  [10, 1, 5, 4],
  [18, 2, 5, 6],
  [2, 9, 5, 5],
  [10, 8, 6, 6],
  [19, 11, 4, 4],
] as const;
/** Corridors by columns and rows. */
const CORRIDORS = [
  [7, 3, 3, 1],
  [15, 2, 3, 1],
  [4, 6, 1, 3],
  [12, 5, 1, 3],
  [7, 11, 3, 1],
  [16, 12, 3, 1],
  [20, 8, 1, 3],
] as const;

function dungeonCells(grid: CellGrid): string {
  const terrain = new Uint8Array(grid.cols * grid.rows).fill(1);
  const dig = ([col, row, w, h]: readonly [number, number, number, number], to: number) => {
    for (let y = row; y < row + h; y++) for (let x = col; x < col + w; x++) terrain[y * grid.cols + x] = to;
  };
  for (const room of ROOMS) dig(room, 2);
  for (const corridor of CORRIDORS) dig(corridor, 3);
  // The middle room has a pool.
  dig([12, 10, 2, 2], 4);
  return encodeTerrain(grid, terrain);
}

const dungeon = (): BoardStart =>
  board(
    'dungeon',
    'Dungeon',
    'Rooms and corridors on squares of one inch',
    { w: 24, h: 16 },
    '#2a2730',
    (w, h) => {
      const grid: CellGrid = { cells: 'square', cols: 24, rows: 16 };
      return [
        map('Floor', [0, 0, w, h], {
          ...grid,
          terrains: plainTerrains([
            { symbol: 'A', name: 'Rock', color: '#2f2b36', pattern: 'stones', ink: '#46404f' },
            { symbol: 'B', name: 'Room', color: '#d9d2c3', pattern: 'none', ink: '#b8ae9a' },
            { symbol: 'C', name: 'Corridor', color: '#b9b0a0', pattern: 'none', ink: '#978d7b' },
            { symbol: 'D', name: 'Water', color: '#7fb0c4', pattern: 'waves', ink: '#3f7f9a' },
          ]),
          data: dungeonCells(grid),
          cellStroke: { color: '#1d1a22', width: 0.4, align: 'center', dash: [] },
          spaces: [2, 3, 4].map((terrain) => ({
            id: `s${terrain}`,
            of: 'terrain' as const,
            terrain: 'ABCD'[terrain - 1] ?? 'B',
            range: '',
            ...plainTraits('spot'),
          })),
        }),
      ];
    },
  );

const TOWNS = [
  'Alderly',
  'Brackwater',
  'Cinder Ford',
  'Dunmere',
  'Eastwatch',
  'Fallow',
  'Greyhaven',
  'Hollin',
  'Ironbeck',
  'Juniper',
  'Kestrel',
  'Lowmoor',
  'Marl',
  'Northing',
  'Oxbridge',
  'Pell',
  'Quarry End',
  'Rushey',
  'Saltmarsh',
  'Thorne',
];

const towns = (): BoardStart =>
  board(
    'towns',
    'Towns and roads',
    'Places joined by links, for routes and deliveries',
    { w: 16, h: 10 },
    linear(150, '#eef1e0', '#d3dfc3'),
    (w, h) => [
      networkZones(
        { x: 10, y: 14, w: w - 20, h: h - 24 },
        { name: 'Towns', names: TOWNS, seed: 'harvest', count: TOWNS.length, density: 0.45 },
        {
          colours: ['#c1443c', '#2f6690', '#e0a030', '#4a7c59'],
          size: 17,
          link: { color: '#6b5b45', width: 2.2, dash: 'dashed' },
          rim: '#fffaf0',
          type: { family: 'alegreya-sc', weight: 700, size: 11, color: '#3a3326' },
        },
        nextId,
      ),
    ],
  );

export const mapBoards = (): readonly BoardStart[] => [island(), campaign(), dungeon(), towns()];
