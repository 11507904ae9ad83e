import type { Binding } from '../../../core/scene/binding.ts';
import type { Column } from '../../../core/scene/card/row.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import { field, formula, linear, shape, template } from '../layouts/templates/build.ts';

/** The columns of the deck on the first page, in the order of its table. */
export const DEMO_COLUMNS = [
  { key: 'Name', name: 'Name' },
  { key: 'Kind', name: 'Kind' },
  { key: 'Cost', name: 'Cost' },
  { key: 'Rules', name: 'Rules' },
  { key: 'Ink', name: 'Ink' },
] as const satisfies readonly Column[];

export type DemoRow = Readonly<Record<(typeof DEMO_COLUMNS)[number]['key'], string>>;

export const DEMO_ROWS: readonly DemoRow[] = [
  {
    Name: 'The Lantern',
    Kind: 'Relic',
    Cost: '2',
    Rules: 'Look at the top three cards. Keep one, *bury* the rest.',
    Ink: '#2f5d62',
  },
  {
    Name: 'Salt Road',
    Kind: 'Place',
    Cost: '4',
    Rules: 'When a traveller arrives, draw a card for **each debt**.',
    Ink: '#8a6a1f',
  },
  {
    Name: 'Ember Fox',
    Kind: 'Companion',
    Cost: '1',
    Rules: 'Once a night, light a fire where there is *no wood*.',
    Ink: '#a8361c',
  },
];

const INK: Binding = { mode: 'column', column: 'Ink' };
const PAPER = '#fffaf0';
/** Emblem of each kind of card; other kinds have the last. */
const EMBLEMS: readonly (readonly [when: string, path: string])[] = [
  ["lower(Kind) == 'relic'", 'M38 26H62L68 74H32Z M43 12H57V23H43Z M46 3H54V10H46Z M30 78H70V84H30Z'],
  ["lower(Kind) == 'place'", 'M0 88L28 40L44 62L66 24L100 78V100H0Z M70 18A9 9 0 1 0 88 18A9 9 0 1 0 70 18Z'],
  ["lower(Kind) == 'companion'", 'M50 96C26 84 22 56 36 36L26 8L46 24H54L74 8L64 36C78 56 74 84 50 96Z'],
  [
    "!(lower(Kind) == 'relic' || lower(Kind) == 'place' || lower(Kind) == 'companion')",
    'M50 4L61 38H97L68 59L79 94L50 73L21 94L32 59L3 38H39Z',
  ],
];

/** The layout of the deck on the first page. */
export function demoLayout(): Layout {
  const { layout } = template(
    'demo',
    'Demo',
    'The deck of the first page',
    { ground: PAPER },
    DEMO_ROWS[0] ?? {},
    () => [
      shape('Frame', [2.6, 2.6, 58.3, 83.7], {
        fill: { kind: 'none' },
        radius: 2,
        stroke: { color: '#8a6a1f55', width: 0.3, align: 'inside', dash: [] },
      }),
      field(
        'Name',
        [5.5, 4.8, 42, 9],
        { family: 'lora', weight: 700, size: 13.5, color: '#2a2018' },
        { minSize: 7 },
      ),
      shape('Coin', [49.2, 4.6, 9.4, 9.4], { shape: 'ellipse', bindings: { fill: INK } }),
      field(
        'Cost',
        [49.2, 4.6, 9.4, 9.4],
        { family: 'lora', weight: 700, size: 13, align: 'center', color: PAPER },
        { minSize: 6 },
      ),
      shape('Picture', [5, 15.5, 53.5, 33], { fill: linear(165, '#fff1d6', '#ead2a2'), radius: 2 }),
      shape('Glow', [5, 15.5, 53.5, 33], { radius: 2, opacity: 0.34, bindings: { fill: INK } }),
      ...EMBLEMS.map(([when, path]) =>
        shape('Emblem', [18.25, 18.5, 27, 27], {
          clipPath: path,
          visibleIf: when,
          bindings: { fill: INK },
        }),
      ),
      field(
        'Kind',
        [5.5, 50, 52, 5],
        { family: 'inter', weight: 700, size: 6.6, transform: 'uppercase', letterSpacing: 0.09 },
        { bindings: { text: formula('Kind'), 'style.color': INK } },
      ),
      field(
        'Rules',
        [5.5, 55.5, 52.5, 27],
        { family: 'eb-garamond', size: 11.5, lineHeight: 1.25, vAlign: 'top', color: '#2a2018' },
        { minSize: 6 },
      ),
    ],
  );
  return layout;
}
