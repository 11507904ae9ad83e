import type { CardEntry, JsonObject, ProjectBundle } from '../../../../core/archive/bundle.ts';
import type { Layout } from '../../../../core/scene/layout.ts';
import {
  field,
  formula,
  label,
  line,
  linear,
  radial,
  shadow,
  shape,
  solid,
  template,
} from '../../layouts/templates/build.ts';

/** A small game of our own, to look at, to print and to take apart: everything on its cards is drawn by zones. */

interface Find {
  readonly kind: string;
  readonly colour: string;
  readonly names: readonly string[];
  readonly text: string;
}

const FINDS: readonly Find[] = [
  {
    kind: 'Shell',
    colour: '#d9794f',
    names: ['Cockle', 'Limpet', 'Whelk', 'Razor clam', 'Scallop', 'Nautilus'],
    text: 'Worth its number. Three in a row of numbers: **2 more**.',
  },
  {
    kind: 'Glass',
    colour: '#3f8f8a',
    names: ['Green shard', 'Brown shard', 'Milky pebble', 'Blue bead', 'Bottle stopper', 'Red lens'],
    text: 'Worth its number, if nobody has **more glass** than you.',
  },
  {
    kind: 'Wood',
    colour: '#8a6a3c',
    names: ['Cork', 'Peg', 'Oar blade', 'Crate lid', 'Carved knot', 'Figurehead'],
    text: 'Throw one away to **look at** the top three cards of the beach.',
  },
  {
    kind: 'Rope',
    colour: '#6a5a8c',
    names: ['Twine', 'Net corner', 'Sailor’s braid', 'Buoy line', 'Mooring loop', 'Anchor hawser'],
    text: 'Tie it to another find: the two count as **one kind**, yours to choose.',
  },
];
const TIDES = [
  { name: 'Ebb', text: 'Lay **two more cards** on the beach.' },
  { name: 'Slack water', text: 'Everybody gives **one find** to the left.' },
  { name: 'Spring tide', text: 'Sweep the beach away. Lay **four new cards**.' },
];

const cards: CardEntry[] = [
  ...FINDS.flatMap(({ kind, colour, names, text }) =>
    names.map((name, i) => ({
      id: `${kind.toLowerCase()}-${i + 1}`,
      copies: 1,
      cells: { name, kind, value: String(i + 1), colour, text },
    })),
  ),
  ...TIDES.map(({ name, text }, i) => ({
    id: `tide-${i + 1}`,
    copies: 2,
    cells: { name, kind: 'Tide', value: '', colour: '#2f4a6d', text },
  })),
];

const only = (kind: string) => ({ visibleIf: `kind == "${kind}"` });

/** A moon over waves. */
const tide = (w: number) => [
  shape('Moon', [w / 2 - 11, 12, 22, 22], {
    ...only('Tide'),
    shape: 'ellipse',
    fill: radial('#fffbe8', '#d9dff0'),
  }),
  ...[0, 1, 2].map((row) =>
    shape(`Wave ${row + 1}`, [-3.2, 35 + row * 5, w + 6.4, 9], {
      ...only('Tide'),
      clipPath:
        'polygon(0% 40%, 10% 10%, 20% 40%, 30% 10%, 40% 40%, 50% 10%, 60% 40%, 70% 10%, 80% 40%, 90% 10%, 100% 40%, 100% 100%, 0% 100%)',
      fill: ['#4f74a8', '#3d5f92', '#2c4a78'][row] ?? '#2c4a78',
    }),
  ),
];

const front = (): Layout =>
  template('driftglass', 'Driftglass card', '', { size: 'poker', ground: solid('#fbf4e6') }, {}, (w, h) => [
    shape('Sea', [-3.2, -3.2, w + 6.4, 54], { fill: '#2f4a6d', bindings: { fill: formula('colour') } }),
    shape('Light', [-3.2, -3.2, w + 6.4, 54], { fill: linear(180, '#ffffff55', '#00000033') }),
    shape('Glow', [w / 2 - 19, 11, 38, 38], { shape: 'ellipse', fill: radial('#ffffffaa', '#ffffff00') }),
    // A shell: a fan with ribs.
    shape('Fan', [w / 2 - 14, 17, 28, 25], {
      ...only('Shell'),
      clipPath: 'polygon(50% 100%, 3% 48%, 8% 26%, 22% 9%, 38% 2%, 50% 0%, 62% 2%, 78% 9%, 92% 26%, 97% 48%)',
      fill: linear(180, '#fff1e0', '#f0b48a'),
    }),
    ...[-2, -1, 0, 1, 2].map((rib) =>
      shape(
        `Rib ${rib + 3}`,
        [w / 2 - 0.35 + rib * 3.4, 19 + Math.abs(rib) * 0.8, 0.7, 21 - Math.abs(rib) * 2],
        {
          ...only('Shell'),
          rotation: rib * 13,
          fill: '#c9703f88',
        },
      ),
    ),
    // Glass: a worn shard with an edge of light.
    shape('Shard', [w / 2 - 13, 15, 26, 28], {
      ...only('Glass'),
      rotation: 14,
      clipPath: 'polygon(48% 0%, 88% 18%, 100% 60%, 66% 100%, 18% 88%, 0% 36%)',
      fill: linear(140, '#e6fffb', '#7fd1c7', '#2c6f6b'),
    }),
    shape('Gleam', [w / 2 - 8, 20, 5, 15], {
      ...only('Glass'),
      rotation: 24,
      clipPath: 'polygon(40% 0%, 100% 20%, 60% 100%, 0% 70%)',
      fill: '#ffffffaa',
    }),
    // Wood: the rings of a sawn trunk.
    ...[30, 24, 18, 12, 6].map((size, i) =>
      shape(`Ring ${i + 1}`, [w / 2 - size / 2, 29 - size / 2, size, size], {
        ...only('Wood'),
        shape: 'ellipse',
        fill: i % 2 === 0 ? '#e2c08a' : '#c99c5e',
        stroke: line(0.3, '#6b4a22'),
      }),
    ),
    // Rope: a coil of three turns.
    ...[28, 19, 10].map((size, i) =>
      shape(`Coil ${i + 1}`, [w / 2 - size / 2, 29 - size / 2, size, size], {
        ...only('Rope'),
        shape: 'ellipse',
        fill: { kind: 'none' },
        stroke: { color: '#efe3c8', width: 3, align: 'inside', dash: [2.2, 0.7] },
      }),
    ),
    ...tide(w),
    shape('Paper', [-3.2, 48, w + 6.4, h - 48 + 3.2], { fill: '#fbf4e6' }),
    shape('Seal', [w - 16, 42, 12, 12], {
      visibleIf: 'kind != "Tide"',
      shape: 'ellipse',
      fill: '#fffdf6',
      stroke: line(0.5, '#3a2a1a'),
      shadows: [shadow(0.4, 1)],
    }),
    field(
      'Value',
      [w - 16, 42, 12, 12],
      { family: 'lora', size: 20, weight: 700, align: 'center', color: '#3a2a1a' },
      { hideIfEmpty: true },
    ),
    field('Name', [5, 52, w - 22, 9], { family: 'lora', size: 15, weight: 700, color: '#2a211a' }),
    field('Kind', [5, 60.5, w - 10, 5], {
      family: 'inter',
      size: 7,
      weight: 700,
      color: '#6f6152',
      transform: 'uppercase',
      letterSpacing: 0.12,
    }),
    field('Text', [5, 67, w - 10, h - 72], {
      family: 'eb-garamond',
      size: 10.5,
      color: '#2a211a',
      vAlign: 'top',
    }),
  ]).layout;

const back = (): Layout =>
  template(
    'driftglass-back',
    'Driftglass back',
    '',
    { size: 'poker', ground: linear(180, '#2f4a6d', '#16263c') },
    {},
    (w, h) => [
      shape('Moon', [w / 2 - 13, 14, 26, 26], { shape: 'ellipse', fill: radial('#fffbe8', '#c9d3ea') }),
      ...[0, 1, 2, 3, 4].map((row) =>
        shape(`Wave ${row + 1}`, [-3.2, 44 + row * 10, w + 6.4, 16], {
          clipPath:
            'polygon(0% 40%, 10% 10%, 20% 40%, 30% 10%, 40% 40%, 50% 10%, 60% 40%, 70% 10%, 80% 40%, 90% 10%, 100% 40%, 100% 100%, 0% 100%)',
          fill: ['#4f74a8', '#436699', '#375788', '#2c4a78', '#213a62'][row] ?? '#213a62',
        }),
      ),
      label('Title', [5, h - 20, w - 10, 12], 'Driftglass', {
        family: 'cinzel',
        size: 17,
        weight: 700,
        align: 'center',
        color: '#fff4dc',
      }),
    ],
  ).layout;

const NOTES = `## Driftglass

The tide goes out and leaves things lying about. Gather what is worth keeping. For 2 to 4 players, 15 minutes.

### To begin

Shuffle all 30 cards. Lay four face up: the beach. Everybody draws one.

### Your turn

1. Take one find from the beach and lay it before you.
2. Lay a new card on the beach. A **Tide** happens at once and goes away.

### The end

When the beach cannot be filled, everybody counts. Each find says what it is worth. Most wins.

### To try next

- Does *Glass* pay enough with four players?
- A fifth kind, Bone, that counts against you.
`;

const asJson = (layout: Layout): JsonObject => JSON.parse(JSON.stringify(layout)) as JsonObject;

/** The game, ready to be written as a project. */
export function driftglass(): ProjectBundle {
  return {
    project: {
      name: 'Driftglass',
      description: 'A small beachcombing game that came with Tuckbox. Print it, play it, take it apart.',
      tags: ['sample'],
      coverColor: '#2f5d62',
      cover: 'card',
    },
    notes: NOTES,
    components: [
      {
        id: 'finds',
        fields: {
          name: 'Finds',
          kind: 'cards',
          layoutId: 'front',
          backLayoutId: 'back',
          columns: [
            { key: 'name', name: 'Name', type: 'text' },
            { key: 'kind', name: 'Kind', type: 'list', options: [...FINDS.map(({ kind }) => kind), 'Tide'] },
            { key: 'value', name: 'Value', type: 'number' },
            { key: 'colour', name: 'Colour', type: 'colour' },
            { key: 'text', name: 'Text', type: 'text', width: 420 },
          ],
        },
        cards,
      },
    ],
    layouts: [
      { key: 'front', name: 'Driftglass card', scene: asJson(front()) },
      { key: 'back', name: 'Driftglass back', scene: asJson(back()) },
    ],
    comments: [],
    presets: [],
    runs: [],
    rulebooks: [],
    images: [],
  };
}
