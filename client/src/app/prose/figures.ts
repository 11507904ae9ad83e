import type { Layout } from '../../core/scene/layout.ts';
import type { Zone } from '../../core/scene/zones.ts';
import type { FigureCard } from './card-figure.tsx';
import { card, fade, shape, solid, words } from './drawing.ts';

/** The drawings of articles and guides: layouts like any other, painted where they are shown. */

const INK = '#231d17';
const PAPER = '#fffaf0';

/** A plain, honest card: a band, a number, a picture's place and a rule. */
export function plainCard(
  name: string,
  kind: string,
  cost: string,
  rule: string,
  tone: string,
  art: readonly Zone[] = [],
): Layout {
  return card(name, 'poker', solid(PAPER), [
    shape([-3.2, -3.2, 69.9, 17], solid(tone)),
    words([5, 3, 44, 9], name, {
      family: 'cinzel',
      size: 13,
      weight: 700,
      color: '#ffffff',
      vAlign: 'middle',
    }),
    shape([50, 3.2, 9, 9], solid('#fff6e5'), { shape: 'ellipse' }),
    words([50, 3.2, 9, 9], cost, {
      family: 'cinzel',
      size: 13,
      weight: 700,
      color: INK,
      align: 'center',
      vAlign: 'middle',
    }),
    shape([4.8, 17, 53.9, 31], fade('#f3e4cc', '#dfc9a5'), { radius: [2, 2, 2, 2] }),
    ...art,
    words([5, 50, 53.5, 4.5], kind, {
      family: 'inter',
      size: 6.5,
      weight: 700,
      color: tone,
      letterSpacing: 0.1,
      transform: 'uppercase',
      vAlign: 'middle',
    }),
    words([5, 56, 53.5, 28], rule, { size: 10, lineHeight: 1.25, color: INK }),
  ]);
}

const sun = (x: number, y: number, d: number, color: string) =>
  shape([x, y, d, d], solid(color), { shape: 'ellipse' });
/** A hill or a peak: a triangle that stands on the picture's lower edge. */
const peak = (x: number, y: number, w: number, h: number, color: string) =>
  shape([x, y, w, h], solid(color), { shape: 'polygon', points: 3 });

export const LANTERN = plainCard(
  'The Lantern',
  'Relic',
  '2',
  'Look at the top three cards of the deck. Keep **one**, bury the rest. / *It has never gone out. Nobody has ever lit it.*',
  '#2f5d62',
  [sun(21, 21, 22, '#f0c766'), sun(25, 25, 14, '#fff2c4'), shape([30.5, 40, 3, 8], solid('#5c4326'))],
);
export const SALT_ROAD = plainCard(
  'Salt Road',
  'Place',
  '4',
  'When a traveller arrives, draw a card for each **debt** they carry.',
  '#8a6a1f',
  [sun(42, 20, 9, '#d98b3a'), peak(6, 26, 26, 22, '#a58d6a'), peak(26, 30, 30, 18, '#8c7452')],
);
export const EMBER_FOX = plainCard(
  'Ember Fox',
  'Companion',
  '1',
  'Once a night, light a fire where there is no wood.',
  '#a8361c',
  [
    peak(20, 22, 10, 14, '#a8361c'),
    peak(34, 22, 10, 14, '#a8361c'),
    sun(20, 27, 24, '#c24a2a'),
    sun(28, 38, 8, '#fff6e5'),
  ],
);

/** Three cards of one layout. */
export function gallery(): readonly FigureCard[] {
  return [
    { layout: LANTERN, label: 'The Lantern, a relic that costs 2' },
    { layout: SALT_ROAD, label: 'Salt Road, a place that costs 4' },
    { layout: EMBER_FOX, label: 'Ember Fox, a companion that costs 1' },
  ];
}

const outline = (w: number, h: number, name: string, size: string): Layout =>
  card(name, [w, h], solid('#ffffff'), [
    shape([0, 0, w, h], { kind: 'none' }, { stroke: { color: INK, width: 0.5, align: 'inside', dash: [] } }),
    shape([4, 4, w - 8, h * 0.14], solid('#ece5d8')),
    shape([4, 6 + h * 0.14, w - 8, h * 0.36], solid('#f3e4cc')),
    words([4, h * 0.62, w - 8, h * 0.16], name, {
      family: 'cinzel',
      size: 13,
      weight: 700,
      align: 'center',
      vAlign: 'middle',
    }),
    words([4, h * 0.76, w - 8, h * 0.14], size, {
      family: 'inter',
      size: 9,
      align: 'center',
      vAlign: 'middle',
    }),
  ]);

/** Empty cards of the usual sizes, in true proportion to each other. */
export const TEMPLATES = {
  poker: outline(63.5, 88.9, 'Poker', '63.5 × 88.9 mm'),
  tarot: outline(69.85, 120.65, 'Tarot', '69.85 × 120.65 mm'),
  mini: outline(44.45, 63.5, 'Mini', '44.45 × 63.5 mm'),
} as const;

/** A card before it is cut, with its three lines. */
export const BLEED = card('Bleed', [69.85, 95.25], solid('#f4b9a4'), [
  shape([3.175, 3.175, 63.5, 88.9], solid('#fff6e5'), {
    stroke: { color: '#a8361c', width: 0.5, align: 'inside', dash: [] },
  }),
  shape(
    [6.35, 6.35, 57.15, 82.55],
    { kind: 'none' },
    {
      stroke: { color: '#2f5d62', width: 0.4, align: 'inside', dash: [2, 1.2] },
    },
  ),
  words([8, 36, 54, 8], 'safe', {
    family: 'inter',
    size: 12,
    weight: 700,
    color: '#2f5d62',
    align: 'center',
  }),
  words(
    [8, 46, 54, 22],
    'Words and numbers stay inside the dashed line. The solid line is where the knife should go.',
    {
      family: 'inter',
      size: 8,
      align: 'center',
      color: INK,
    },
  ),
  words([4, 0.2, 62, 3], 'bleed', {
    family: 'inter',
    size: 6,
    weight: 700,
    color: '#6d200e',
    align: 'center',
  }),
]);

/** Nine poker cards on A4, with crop marks. */
export const SHEET = card('Sheet', [210, 297], solid('#ffffff'), [
  ...Array.from({ length: 9 }, (_, i) => {
    const x = 10.5 + (i % 3) * 63;
    const y = 16.5 + Math.floor(i / 3) * 88;
    return [
      shape([x, y, 63, 88], solid(i % 2 === 0 ? '#f3e4cc' : '#ece5d8')),
      shape([x, y, 63, 14], solid(['#2f5d62', '#8a6a1f', '#a8361c'][i % 3] ?? '#a8361c')),
    ];
  }).flat(),
  ...[10.5, 73.5, 136.5, 199.5].flatMap((x) => [
    shape([x - 0.15, 6, 0.3, 8], solid(INK)),
    shape([x - 0.15, 283, 0.3, 8], solid(INK)),
  ]),
  ...[16.5, 104.5, 192.5, 280.5].flatMap((y) => [
    shape([1, y - 0.15, 7, 0.3], solid(INK)),
    shape([202, y - 0.15, 7, 0.3], solid(INK)),
  ]),
]);

const DINO = '#3d6b3a';
/** A card of the dinosaur park in trouble. */
export const FENCE_DOWN = plainCard(
  'Fence Down',
  'Alarm',
  '3',
  'Move the nearest **predator** one paddock towards the visitors. / Anybody may discard a *generator* to stop it.',
  DINO,
  [
    shape([4.8, 40, 53.9, 8], solid('#7b8f4f')),
    ...[10, 18, 26, 38, 46, 54].map((x, i) =>
      shape([x, i === 3 ? 31 : 27, 1.6, i === 3 ? 13 : 18], solid('#5c4326'), { rotation: i === 3 ? 38 : 0 }),
    ),
    shape([7, 30, 22, 0.8], solid('#5c4326')),
    shape([44, 30, 14, 0.8], solid('#5c4326')),
  ],
);
export const GENERATOR = plainCard(
  'Generator',
  'Equipment',
  '1',
  'Keep it in front of you. Discard it to ignore one **alarm**.',
  '#5a5f66',
  [
    shape([18, 24, 28, 18], solid('#5a5f66'), { radius: [2, 2, 2, 2] }),
    shape([26, 26, 12, 13], solid('#f0c766'), { shape: 'star', points: 4, inner: 0.35 }),
  ],
);

/** A mountain card: height decides. */
function mountain(name: string, height: string, range: string, tone: string, w: number): Layout {
  return card(name, 'poker', fade('#cfe0e8', '#f7efe0'), [
    peak(31 - w / 2, 22, w, 42, tone),
    peak(31 - w * 0.14, 22, w * 0.28, 12, '#ffffff'),
    peak(4, 42, 26, 22, '#7f8f8a'),
    peak(36, 46, 24, 18, '#94a19b'),
    shape([-3.2, 63.5, 69.9, 29], solid('#fffaf0')),
    words([5, 5, 53.5, 12], height, { family: 'bebas-neue', size: 26, color: INK, vAlign: 'middle' }),
    words([5, 66, 53.5, 9], name, { family: 'cinzel', size: 13, weight: 700, color: INK, vAlign: 'middle' }),
    words([5, 76, 53.5, 6], range, { family: 'inter', size: 7.5, color: '#65594c' }),
  ]);
}
export const MOUNTAINS = [
  mountain('Mount Elbert', '14,440 ft', 'Sawatch Range', '#566b74', 52),
  mountain('Longs Peak', '14,259 ft', 'Front Range', '#6b5d54', 40),
  mountain('Pikes Peak', '14,115 ft', 'Front Range', '#8a5f4d', 58),
] as const;
