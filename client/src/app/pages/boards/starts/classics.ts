import { plainTraits } from '../../../../core/board/space.ts';
import { encodeTerrain } from '../../../../core/board/terrain-data.ts';
import { trackZones } from '../../../../core/generators/track-zones.ts';
import { plainTerrains } from '../../../../core/scene/board/terrain.ts';
import { label, line, linear, nextId, radial, shape } from '../../layouts/templates/build.ts';
import { type BoardStart, board, lineThrough, map, space } from './build.ts';

/** Boards of old games that belong to nobody. */

const SIDE = 8;

/** Dark squares of a board of two colours: that at the bottom left is dark. */
function checkers(): string {
  const grid = { cells: 'square' as const, cols: SIDE, rows: SIDE };
  const terrain = Uint8Array.from({ length: SIDE * SIDE }, (_, cell) => {
    const dark = ((cell % SIDE) + Math.floor(cell / SIDE)) % 2 === 1;
    return dark ? 2 : 1;
  });
  return encodeTerrain(grid, terrain);
}

const checkered = (): BoardStart =>
  board(
    'checkered',
    'Checkered board',
    'Chess, draughts and their kin',
    { w: 18, h: 18, fold: 'four' },
    '#3a2a20',
    (w) => [
      shape('Frame', [12, 12, w - 24, w - 24], {
        fill: linear(135, '#5a4130', '#47321f'),
        stroke: line(1.2, '#c9a66b'),
        radius: 3,
      }),
      map('Squares', [36, 36, w - 72, w - 72], {
        cells: 'square',
        cols: SIDE,
        rows: SIDE,
        terrains: plainTerrains([
          { symbol: 'A', name: 'Light', color: '#ecd9b5', pattern: 'none', ink: '#c9b48c' },
          { symbol: 'B', name: 'Dark', color: '#8c5a3c', pattern: 'none', ink: '#6f452c' },
        ]),
        data: checkers(),
        cellStroke: { color: '#47321f', width: 0.3, align: 'center', dash: [] },
        spaces: [{ id: 's1', of: 'all', terrain: '', range: '', ...plainTraits('spot') }],
      }),
    ],
  );

/** Corners and middles of three squares, one inside the other. */
function morris(): BoardStart {
  return board(
    'morris',
    'Nine men’s morris',
    'Three in a row on three squares',
    { w: 10, h: 10 },
    linear(160, '#f3e6cc', '#e4cf9f'),
    (w) => {
      const middle = w / 2;
      const reaches = [98, 66, 34];
      const ink = { color: '#4d3319', width: 1.6 };
      const squares = reaches.map((reach, at) => {
        const [a, b] = [middle - reach, middle + reach];
        const corners = [
          [a, a],
          [b, a],
          [b, b],
          [a, b],
        ] as const;
        return lineThrough(`Square ${at + 1}`, corners, { ...ink, closed: true });
      });
      const [outer = 0, , inner = 0] = reaches;
      const spokes = (
        [
          [0, -1],
          [1, 0],
          [0, 1],
          [-1, 0],
        ] as const
      ).map(([x, y], at) =>
        lineThrough(
          `Spoke ${at + 1}`,
          [
            [middle + x * inner, middle + y * inner],
            [middle + x * outer, middle + y * outer],
          ],
          ink,
        ),
      );
      const points = reaches.flatMap((reach, ring) =>
        (
          [
            [-1, 1],
            [-1, 0],
            [-1, -1],
            [0, -1],
            [1, -1],
            [1, 0],
            [1, 1],
            [0, 1],
          ] as const
        ).flatMap(([x, y], at) => {
          const box = [middle + x * reach - 8, middle + y * reach - 8, 16, 16] as const;
          const disc = [box[0] + 4, box[1] + 4, 8, 8] as const;
          return [
            shape(`Disc ${ring + 1}.${at + 1}`, disc, { shape: 'ellipse', fill: '#4d3319' }),
            space(`Point ${ring + 1}.${at + 1}`, box, 'spot'),
          ];
        }),
      );
      return [
        shape('Frame', [8, 8, w - 16, w - 16], {
          fill: { kind: 'none' },
          stroke: line(1, '#b58f45'),
          radius: 4,
        }),
        ...squares,
        ...spokes,
        ...points,
      ];
    },
  );
}

function backgammon(): BoardStart {
  return board(
    'backgammon',
    'Backgammon',
    'Twenty-four points, bar and trays',
    { w: 18, h: 18, fold: 'two' },
    '#2b3a2f',
    (w, h) => {
      const [edge, tray, bar] = [16, 34, 26];
      const half = (w - 2 * edge - tray - bar) / 2;
      const wide = half / 6;
      const tall = (h - 2 * edge) * 0.42;
      const starts = [edge, edge + half + bar];
      const grounds = starts.map((x, at) =>
        shape(`Field ${at + 1}`, [x, edge, half, h - 2 * edge], {
          fill: '#e8d9b8',
          stroke: line(0.6, '#1d271f'),
        }),
      );
      const points = Array.from({ length: 24 }, (_, index) => {
        // Point 1 lies at the bottom right, 12 at the bottom left, 13 above it, 24 at the top right.
        const low = index < 12;
        const column = low ? 11 - index : index - 12;
        const x = (starts[column < 6 ? 0 : 1] ?? 0) + (column % 6) * wide;
        const y = low ? h - edge - tall : edge;
        const dark = index % 2 === 0;
        return [
          shape(`Triangle ${index + 1}`, [x + 0.6, y, wide - 1.2, tall], {
            clipPath: low ? 'polygon(0% 100%, 50% 0%, 100% 100%)' : 'polygon(0% 0%, 100% 0%, 50% 100%)',
            fill: dark ? '#7c2f2a' : '#3f6b57',
          }),
          space(`Point ${index + 1}`, [x, y, wide, tall], 'area'),
        ];
      }).flat();
      const trayX = w - edge - tray + 6;
      const inner = h / 2 - edge - 6;
      return [
        ...grounds,
        ...points,
        space('Bar', [edge + half, edge, bar, h - 2 * edge], 'area'),
        space('Tray above', [trayX, edge, tray - 6, inner], 'area', {
          fill: '#223027',
          stroke: line(0.6, '#c9a66b'),
        }),
        space('Tray below', [trayX, h / 2 + 6, tray - 6, inner], 'area', {
          fill: '#223027',
          stroke: line(0.6, '#c9a66b'),
        }),
      ];
    },
  );
}

const SPIRAL_COLOURS = ['#f1c27d', '#8fb996', '#e58f65', '#7fa6c9', '#d9b8d0', '#f0e0b0'];
/** The last field of the old game of the goose. */
const GOAL = 63;

const spiral = (): BoardStart =>
  board(
    'spiral',
    'Spiral race',
    'Sixty-three fields to the middle, as in the game of the goose',
    { w: 18, h: 18, fold: 'four' },
    radial('#fdf6e3', '#e9d8a6'),
    (w, h) => [
      trackZones(
        { x: 16, y: 16, w: w - 32, h: h - 32 },
        {
          name: 'Field',
          course: 'spiral',
          count: GOAL + 1,
          depth: 0,
          gap: 2.4,
          role: 'area',
          label: (index) => (index === GOAL ? 'Goal' : String(index + 1)),
        },
        {
          colours: SPIRAL_COLOURS,
          stroke: line(0.6, '#5a4632'),
          type: { family: 'bebas-neue', size: 34, color: '#3a2c1e' },
        },
        nextId,
      ),
      label('Title', [16, 4, w - 32, 10], 'Go round to the middle', {
        family: 'cinzel',
        weight: 700,
        size: 16,
        align: 'center',
        color: '#5a4632',
      }),
    ],
  );

export const classicBoards = (): readonly BoardStart[] => [checkered(), morris(), backgammon(), spiral()];
