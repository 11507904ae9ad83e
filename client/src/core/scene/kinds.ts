import type { CardSize } from './layout.ts';
import { DEFAULT_RADIUS_MM, SIZE_PRESETS } from './sizes.ts';

/** Kind of component: its name, the name of one piece, and its usual sizes. */
export interface Kind {
  readonly id: string;
  readonly name: string;
  /** Its singular and plural. */
  readonly one: string;
  readonly many: string;
  readonly sizes: readonly KindSize[];
}

export interface KindSize {
  readonly name: string;
  readonly size: CardSize;
}

const of = (
  name: string,
  w: number,
  h: number,
  shape: CardSize['shape'] = 'rounded',
  radius = shape === 'rounded' ? DEFAULT_RADIUS_MM : 0,
): KindSize => ({ name, size: { preset: 'custom', w, h, shape, radius } });

/** Millimetres of an inch, the unit of printers of pieces. */
const INCH = 25.4;
const inches = (name: string, w: number, h: number, shape: CardSize['shape'] = 'rect') =>
  of(name, Math.round(w * INCH * 100) / 100, Math.round(h * INCH * 100) / 100, shape);

const cards: readonly KindSize[] = SIZE_PRESETS.map(({ id, name, w, h, shape }) => ({
  name,
  size: { preset: id, w, h, shape, radius: shape === 'rounded' ? DEFAULT_RADIUS_MM : 0 },
}));

/**
 * Sizes of pieces that printers offer. A flat piece is shown by its trim; a die by one of its faces, so that its rows
 * are its faces; a folding board as it lies open.
 */
export const KINDS: readonly Kind[] = [
  { id: 'cards', name: 'Cards', one: 'card', many: 'cards', sizes: cards },
  {
    id: 'tokens',
    name: 'Tokens',
    one: 'token',
    many: 'tokens',
    sizes: [
      inches('Round, 1 in', 1, 1, 'circle'),
      inches('Round, ¾ in', 0.75, 0.75, 'circle'),
      inches('Round, ½ in', 0.5, 0.5, 'circle'),
      inches('Square, 1 in', 1, 1),
      inches('Square, ¾ in', 0.75, 0.75),
      inches('Square, ½ in', 0.5, 0.5),
      of('Poker chip', 39, 39, 'circle'),
    ],
  },
  {
    id: 'tiles',
    name: 'Tiles',
    one: 'tile',
    many: 'tiles',
    sizes: [
      inches('Square, 2 in', 2, 2),
      inches('Square, 1¼ in', 1.25, 1.25),
      inches('Square, 3½ in', 3.5, 3.5),
      inches('Hexagon, 2 in', 2, 1.75, 'hex-flat'),
      inches('Hexagon, 1¼ in', 1.25, 1.08, 'hex-flat'),
      inches('Hexagon, 3¾ in', 3.75, 3.25, 'hex-flat'),
      of('Domino', 44.45, 88.9),
    ],
  },
  {
    id: 'dice',
    name: 'Dice',
    one: 'face',
    many: 'faces',
    sizes: [
      inches('Sticker, ½ in', 0.5, 0.5),
      of('Face, 16 mm', 16, 16),
      of('Face, 19 mm', 19, 19),
      of('Face, 25 mm', 25, 25),
    ],
  },
  {
    id: 'boards',
    name: 'Boards',
    one: 'board',
    many: 'boards',
    sizes: [
      inches('Square, 10 in', 10, 10),
      inches('Square, 8 in', 8, 8),
      inches('Quarter, 5 in', 5, 5),
      inches('Half, 5 × 10 in', 5, 10),
      inches('Folded once, 18 × 9 in', 18, 9),
      inches('Folded twice, 18 in', 18, 18),
    ],
  },
  {
    id: 'mats',
    name: 'Mats',
    one: 'mat',
    many: 'mats',
    sizes: [
      inches('Postcard, 6 × 4 in', 6, 4),
      inches('Domino mat, 4 × 8 in', 4, 8),
      inches('Small, 10 × 16 in', 10, 16),
      inches('Medium, 24 × 14 in', 24, 14),
      of('A4', 297, 210, 'rect'),
      inches('Letter', 11, 8.5),
    ],
  },
  {
    id: 'documents',
    name: 'Documents',
    one: 'page',
    many: 'pages',
    sizes: [
      of('A4', 210, 297, 'rect'),
      of('A5', 148, 210, 'rect'),
      inches('Letter', 8.5, 11),
      inches('Booklet, small', 2.5, 3.5),
      inches('Booklet, medium', 3.5, 5),
      inches('Booklet, large', 5, 8),
      inches('Booklet, jumbo', 8, 10),
    ],
  },
];

/** A kind by its id; cards for an unknown one. */
export function kindOf(id: string): Kind {
  return KINDS.find((kind) => kind.id === id) ?? (KINDS[0] as Kind);
}

/** Number of pieces, in words. */
export const countOf = (kind: Kind, count: number): string =>
  `${count} ${count === 1 ? kind.one : kind.many}`;
