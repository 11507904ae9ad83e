import { trackZones } from '../../../../core/generators/track-zones.ts';
import { label, line, linear, nextId, shape } from '../../layouts/templates/build.ts';
import { type BoardStart, board, space } from './build.ts';

/** Mats that cards and markers lie on. */

/** A card of the usual size with room for a finger, in millimetres. */
const [CARD_W, CARD_H] = [66, 91];
const dashed = (color: string) => ({ color, width: 0.6, align: 'inside' as const, dash: [2.4, 1.6] });

const market = (): BoardStart =>
  board(
    'market',
    'Market of cards',
    'A deck, two rows of five and a discard pile',
    { w: 20, h: 9 },
    linear(180, '#31473a', '#243329'),
    (w, h) => {
      const [margin, gap] = [12, 16];
      const first = margin + CARD_W + gap;
      // The rows end as far from the right edge as the deck is from the left one.
      const pitch = (w - margin - CARD_W - first) / 4;
      const rows = [10, h - 10 - CARD_H] as const;
      const slot = (name: string, x: number, y: number, role: 'slot' | 'deck') =>
        space(name, [x, y, CARD_W, CARD_H], role, { fill: '#ffffff14', stroke: dashed('#cfe0cf') });
      const caption = (words: string, x: number, y: number) =>
        label(words, [x, y + CARD_H / 2 - 7, CARD_W, 14], words, {
          family: 'oswald',
          size: 17,
          align: 'center',
          color: '#cfe0cf',
          transform: 'uppercase',
          letterSpacing: 0.06,
        });
      return [
        slot('Deck', margin, rows[0], 'deck'),
        caption('Deck', margin, rows[0]),
        slot('Discard', margin, rows[1], 'deck'),
        caption('Discard', margin, rows[1]),
        ...rows.flatMap((y, row) =>
          Array.from({ length: 5 }, (_, at) =>
            slot(`Market ${row * 5 + at + 1}`, first + at * pitch, y, 'slot'),
          ),
        ),
        ...Array.from({ length: 5 }, (_, at) =>
          label(`Price ${at + 1}`, [first + at * pitch, h / 2 - 8, CARD_W, 16], `${5 - at}`, {
            family: 'bebas-neue',
            size: 30,
            align: 'center',
            color: '#e9c46a',
          }),
        ),
      ];
    },
  );

const GOODS = [
  { name: 'Wood', colour: '#7a9e5b' },
  { name: 'Stone', colour: '#8d99a6' },
  { name: 'Grain', colour: '#e0b44c' },
  { name: 'Gold', colour: '#d98e3b' },
];

const player = (): BoardStart =>
  board(
    'player',
    'Player board',
    'Goods from 0 to 10, a hand of slots and a store',
    { w: 10, h: 8 },
    linear(160, '#f7f2e7', '#e8dfcc'),
    (w, h) => {
      const [left, top, high] = [44, 30, 18];
      return [
        label('Title', [10, 7, w - 20, 16], 'Player', {
          family: 'cinzel',
          weight: 700,
          size: 26,
          color: '#463a2a',
        }),
        ...GOODS.flatMap(({ name, colour }, at) => [
          label(name, [10, top + at * (high + 3), left - 12, high], name, {
            family: 'alegreya',
            weight: 700,
            size: 15,
            color: '#463a2a',
          }),
          trackZones(
            { x: left, y: top + at * (high + 3), w: w - left - 10, h: high },
            { name, course: 'line', count: 11, depth: 0, gap: 1.2, role: 'spot', label: String },
            {
              colours: [colour],
              stroke: line(0.3, '#463a2a'),
              type: { family: 'oswald', size: 12, color: '#ffffff' },
            },
            nextId,
          ),
        ]),
        ...Array.from({ length: 2 }, (_, at) =>
          space(`Card ${at + 1}`, [10 + at * (CARD_H * 0.0 + CARD_W + 5), h - 10 - 76, CARD_W, 76], 'slot', {
            fill: '#ffffff80',
            stroke: dashed('#8a7350'),
          }),
        ),
        shape('Store ground', [10 + 2 * (CARD_W + 5), h - 86, w - 20 - 2 * (CARD_W + 5), 76], {
          fill: '#46382714',
          stroke: line(0.6, '#8a7350'),
          radius: 4,
        }),
        space('Store', [10 + 2 * (CARD_W + 5), h - 86, w - 20 - 2 * (CARD_W + 5), 76], 'area'),
        label('Store name', [14 + 2 * (CARD_W + 5), h - 84, 60, 12], 'Store', {
          family: 'alegreya',
          weight: 700,
          size: 14,
          color: '#8a7350',
        }),
      ];
    },
  );

export const matBoards = (): readonly BoardStart[] => [market(), player()];
