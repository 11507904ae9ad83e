import { generateTerrain } from '../../../../core/board/generate-terrain.ts';
import { plainTraits } from '../../../../core/board/space.ts';
import { encodeTerrain } from '../../../../core/board/terrain-data.ts';
import { trackZones } from '../../../../core/generators/track-zones.ts';
import { label, line, linear, nextId, radial, shape } from '../../layouts/templates/build.ts';
import { type BoardStart, board, map, space } from './build.ts';

/** Boards that one goes round. */

const RACE_COLOURS = ['#f4d58d', '#e9edc9', '#bcd4e6', '#f2b5a7'];

const race = (): BoardStart =>
  board(
    'race',
    'Round the edge',
    'Forty places, four corners, two decks',
    { w: 18, h: 18, fold: 'four' },
    '#fbf7ea',
    (w, h) => {
      const depth = 62;
      const room = w - 2 * depth - 24;
      return [
        trackZones(
          { x: 8, y: 8, w: w - 16, h: h - 16 },
          {
            name: 'Place',
            course: 'edge',
            count: 40,
            depth: depth - 8,
            gap: 1.6,
            role: 'area',
            label: (index) => (index === 0 ? 'Start' : String(index)),
          },
          {
            colours: RACE_COLOURS,
            corners: '#264653',
            stroke: line(0.7, '#2b2d42'),
            type: { family: 'oswald', weight: 500, size: 15, color: '#2b2d42' },
          },
          nextId,
        ),
        shape('Middle', [depth + 12, depth + 12, room, room], {
          fill: radial('#e9f0ea', '#c9dccd'),
          stroke: line(1, '#264653'),
          radius: 10,
        }),
        label('Title', [depth + 24, h / 2 - 26, room - 24, 52], 'Name of the game', {
          family: 'bebas-neue',
          size: 76,
          align: 'center',
          color: '#264653',
        }),
        ...(['Deck above', 'Deck below'] as const).map((name, at) =>
          space(name, [w / 2 - 46, at === 0 ? depth + 34 : h - depth - 34 - 66, 92, 66], 'deck', {
            fill: '#ffffffb3',
            stroke: { color: '#264653', width: 0.8, align: 'inside', dash: [3, 2] },
          }),
        ),
      ];
    },
  );

/** Last number of the track of points. */
const POINTS = 99;

const scores = (): BoardStart =>
  board(
    'scores',
    'Points round a map',
    'A track from 0 to 99 about a map of hexagons',
    { w: 24, h: 14 },
    '#22313f',
    (w, h) => {
      const grid = { cells: 'hex-pointy' as const, cols: 15, rows: 9 };
      const shares = new Map([
        [1, 34],
        [2, 26],
        [3, 14],
        [4, 8],
        [5, 18],
      ]);
      const { cells } = generateTerrain(grid, new Uint8Array(grid.cols * grid.rows), {
        seed: 'valley',
        shares,
        amounts: 'percent',
        clumping: 4,
        symmetry: 'none',
        apart: [],
        emptyOnly: false,
      });
      return [
        trackZones(
          { x: 6, y: 6, w: w - 12, h: h - 12 },
          {
            name: 'Points',
            course: 'edge',
            count: POINTS + 1,
            depth: 20,
            gap: 0.8,
            role: 'spot',
            label: String,
          },
          {
            colours: ['#f3efe4', '#e2dac6'],
            corners: '#e0a458',
            stroke: line(0.3, '#22313f'),
            type: { family: 'oswald', weight: 500, size: 13, color: '#22313f' },
          },
          nextId,
        ),
        map('Land', [34, 32, w - 68, h - 64], {
          cols: grid.cols,
          rows: grid.rows,
          cells: grid.cells,
          data: encodeTerrain(grid, cells),
          cellStroke: { color: '#22313f', width: 0.5, align: 'center', dash: [] },
          spaces: [{ id: 's1', of: 'all', terrain: '', range: '', ...plainTraits('spot') }],
        }),
      ];
    },
  );

const ladders = (): BoardStart =>
  board(
    'ladders',
    'Up and down',
    'A hundred fields back and forth, links to draw',
    { w: 18, h: 18, fold: 'four' },
    linear(180, '#bde0fe', '#eaf4f4'),
    (w, h) => [
      trackZones(
        { x: 18, y: 18, w: w - 36, h: h - 36 },
        {
          name: 'Field',
          course: 'serpentine',
          count: 100,
          depth: 0,
          gap: 0.8,
          role: 'area',
          label: (index) => String(index + 1),
        },
        {
          colours: ['#ffffff', '#ffe5a8', '#cde7c9'],
          stroke: line(0.4, '#33475b'),
          type: { family: 'fredoka', weight: 600, size: 18, color: '#33475b', vAlign: 'top', align: 'left' },
        },
        nextId,
      ),
    ],
  );

export const trackBoards = (): readonly BoardStart[] => [race(), scores(), ladders()];
