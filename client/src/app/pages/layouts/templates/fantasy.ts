import {
  field,
  formula,
  group,
  imageZone,
  label,
  line,
  linear,
  radial,
  repeat,
  shadow,
  shape,
  type Template,
  template,
} from './build.ts';

const SHIELD = 'M50 0 L100 12 L100 50 C100 78 72 94 50 100 C28 94 0 78 0 50 L0 12 Z';
const BANNER = 'polygon(4% 0%, 96% 0%, 100% 50%, 96% 100%, 4% 100%, 0% 50%)';
const CUT = 'polygon(8% 0%, 92% 0%, 100% 6%, 100% 94%, 92% 100%, 8% 100%, 0% 94%, 0% 6%)';

const hero = (): Template =>
  template(
    'hero',
    'Hero',
    'A creature with attack and defence',
    { ground: linear(180, '#4a2f1b', '#241409') },
    {
      Name: 'Ember Warden',
      Type: 'Human knight',
      Rules:
        '**Guard.** Until your next turn, prevent the first wound dealt to an ally beside this unit. / When the *ember tide* rises, draw a card.',
      Attack: '4',
      Defence: '5',
      Cost: '3',
      Art: '',
    },
    () => [
      shape('Panel', [3.5, 3.5, 56.5, 81.9], {
        fill: linear(180, '#f7ecd2', '#e6d3a8'),
        radius: 2.5,
        stroke: line(0.5, '#8a6a2f'),
        shadows: [shadow(0.6, 2)],
      }),
      shape('Frame', [6, 13, 51.5, 34], {
        fill: linear(160, '#7a96a8', '#2f4a5c'),
        radius: 1.5,
        stroke: line(0.6, '#5b3a16'),
      }),
      imageZone('Art', [6.4, 13.4, 50.7, 33.2], { radius: 1.2 }),
      shape('Banner', [5, 5, 53.5, 9.5], {
        fill: linear(180, '#8d2b14', '#5e1809'),
        clipPath: BANNER,
        shadows: [shadow(0.4, 1)],
      }),
      field(
        'Name',
        [9, 5.3, 39, 8.9],
        { family: 'cinzel', weight: 700, size: 13, color: '#fbeecb' },
        { minSize: 7 },
      ),
      shape('Coin', [47.5, 4, 11.5, 11.5], {
        shape: 'ellipse',
        fill: radial('#f9e08a', '#b8801f'),
        stroke: line(0.5, '#5b3a16'),
        shadows: [shadow(0.4, 1)],
      }),
      field('Cost', [47.5, 4, 11.5, 11.5], {
        family: 'bebas-neue',
        size: 22,
        align: 'center',
        color: '#3b2308',
      }),
      field('Type', [7, 48, 49.5, 5], {
        family: 'lora',
        italic: true,
        size: 8,
        align: 'center',
        color: '#5b3a16',
      }),
      field(
        'Rules',
        [7.5, 54, 48.5, 22],
        { size: 9, align: 'left', vAlign: 'top', color: '#2b1a0a', hyphenate: 'en-us' },
        { minSize: 6 },
      ),
      shape('Attack shield', [5.5, 73, 11.5, 12.5], {
        clipPath: SHIELD,
        fill: linear(180, '#c0392b', '#7b1e14'),
        stroke: line(0.5, '#fbeecb'),
      }),
      field('Attack', [5.5, 73, 11.5, 11.5], {
        family: 'bebas-neue',
        size: 20,
        align: 'center',
        color: '#ffffff',
      }),
      shape('Defence shield', [46.5, 73, 11.5, 12.5], {
        clipPath: SHIELD,
        fill: linear(180, '#2f6690', '#16324a'),
        stroke: line(0.5, '#fbeecb'),
      }),
      field('Defence', [46.5, 73, 11.5, 11.5], {
        family: 'bebas-neue',
        size: 20,
        align: 'center',
        color: '#ffffff',
      }),
    ],
  );

const spell = (): Template =>
  template(
    'spell',
    'Spell',
    'A dark card that glows',
    { ground: radial('#3b1d5e', '#0e0618') },
    {
      Name: 'Ninefold Lantern',
      School: 'Illumination',
      Rules:
        'Reveal the top **nine** cards of any deck. Put one into your hand and the rest back *in any order*.',
      Mana: '4',
      Flavour: 'It burns for those who wait.',
      Art: '',
    },
    (w) => [
      shape('Halo', [w / 2 - 22, 12, 44, 44], {
        shape: 'star',
        points: 16,
        inner: 0.82,
        fill: {
          kind: 'conic',
          cx: 0.5,
          cy: 0.5,
          angle: 0,
          stops: [
            { at: 0, color: '#f4d58d' },
            { at: 0.25, color: '#8e5bd6' },
            { at: 0.5, color: '#f4d58d' },
            { at: 0.75, color: '#8e5bd6' },
            { at: 1, color: '#f4d58d' },
          ],
        },
        opacity: 0.55,
      }),
      shape('Disc', [w / 2 - 18, 16, 36, 36], {
        shape: 'ellipse',
        fill: radial('#f9e7b5', '#7b4fc4', '#2a1245'),
        stroke: line(0.6, '#f4d58d'),
      }),
      imageZone('Art', [w / 2 - 17.4, 16.6, 34.8, 34.8], { radius: 17.4 }),
      field(
        'Name',
        [5, 3.5, w - 10, 8],
        { family: 'cinzel', weight: 700, size: 13, align: 'center', color: '#f4e3b2' },
        { textShadows: [shadow(0, 1.4, '#8e5bd6')], minSize: 7 },
      ),
      field('School', [8, 55, w - 16, 4.5], {
        family: 'oswald',
        size: 7,
        align: 'center',
        color: '#c9a9f5',
        letterSpacing: 0.18,
        transform: 'uppercase',
      }),
      field(
        'Rules',
        [7, 60, w - 14, 15],
        { family: 'lora', size: 8.5, align: 'center', color: '#f0e6ff' },
        { minSize: 6 },
      ),
      field('Flavour', [9, 75.5, w - 18, 5], { italic: true, size: 7.5, align: 'center', color: '#b99be0' }),
      repeat(
        'Mana',
        [8, 80.6, w - 16, 4],
        'min(number(Mana, 0), 10)',
        [3.6, 3.6],
        [
          shape('Drop', [0, 0, 3.6, 3.6], {
            shape: 'ellipse',
            fill: radial('#e8d4ff', '#7b4fc4'),
            stroke: line(0.2, '#f4d58d'),
          }),
        ],
        { justify: 'center', wrap: false },
      ),
    ],
  );

const treasure = (): Template =>
  template(
    'treasure',
    'Treasure',
    'A thing whose colour goes by its rarity',
    { ground: '#17181c' },
    {
      Name: 'Crown of Tides',
      Kind: 'Relic',
      Rarity: 'Epic',
      Rules: 'While worn, **+2 sway** with all who live by water.',
      Worth: '750',
      Art: '',
    },
    (w, h) => [
      shape('Edge', [2.6, 2.6, w - 5.2, h - 5.2], {
        radius: 2.4,
        fill: '#6d7480',
        bindings: {
          fill: formula(
            "switch(Rarity, 'Common', '#8a929e', 'Rare', '#2f7fe0', 'Epic', '#8e44ad', 'Legendary', '#d48a1c', '#8a929e')",
          ),
        },
      }),
      shape('Panel', [3.6, 3.6, w - 7.2, h - 7.2], { radius: 1.8, fill: linear(180, '#26282f', '#101115') }),
      shape('Plinth', [9, 16, w - 18, 34], {
        clipPath: CUT,
        fill: radial('#4b5060', '#1c1e25'),
        stroke: line(0.4, '#6d7480'),
      }),
      imageZone('Art', [11, 18, w - 22, 30], { fit: 'contain' }),
      field(
        'Name',
        [6, 5.5, w - 12, 8.5],
        { family: 'cinzel', weight: 700, size: 14, align: 'center', color: '#ffffff' },
        { minSize: 8 },
      ),
      label('Rarity and kind', [6, 51.5, w - 12, 5], '{{Rarity}} {{lower(Kind)}}', {
        family: 'oswald',
        size: 8,
        align: 'center',
        color: '#b9c0cc',
        letterSpacing: 0.1,
      }),
      field(
        'Rules',
        [8, 57.5, w - 16, 17],
        { family: 'inter', size: 8, align: 'center', color: '#e5e8ee' },
        { minSize: 6 },
      ),
      label(
        'Worth',
        [w / 2 - 14, 76.5, 28, 6.4],
        '{{Worth}} gold',
        { family: 'oswald', weight: 700, size: 9, align: 'center', color: '#f4d58d' },
        { fill: '#2d2516', radius: 3.2 },
      ),
    ],
  );

const place = (): Template =>
  template(
    'place',
    'Place',
    'A landscape card, the picture behind',
    { landscape: true, ground: linear(180, '#7fb2c9', '#dfe9d8', '#5e7f4f') },
    {
      Name: 'The Long Watch',
      Region: 'Northern march',
      Rules: 'When you arrive, look at the next two roads. You may close one.',
      Danger: '3',
      Art: '',
    },
    (w, h) => [
      imageZone('Art', [-3.2, -3.2, w + 6.4, h + 6.4]),
      shape('Veil', [-3.2, h * 0.5, w + 6.4, h * 0.5 + 3.2], { fill: linear(180, '#10202600', '#102026e6') }),
      field(
        'Name',
        [6, 32, w - 30, 9],
        { family: 'cinzel', weight: 700, size: 17, color: '#ffffff', vAlign: 'bottom' },
        { textShadows: [shadow(0.3, 1.2, '#000000aa')], minSize: 9 },
      ),
      field('Region', [6, 41, w - 30, 5], {
        family: 'oswald',
        size: 8,
        color: '#f4d58d',
        letterSpacing: 0.14,
        transform: 'uppercase',
      }),
      field(
        'Rules',
        [6, 46.5, w - 12, 11.5],
        { size: 9.5, color: '#f3f6f4', vAlign: 'top' },
        { minSize: 6.5 },
      ),
      repeat(
        'Danger',
        [w - 26, 34, 20, 6],
        'number(Danger, 0)',
        [5, 5],
        [
          shape('Skull mark', [0, 0, 5, 5], {
            shape: 'star',
            points: 5,
            inner: 0.5,
            fill: '#e4572e',
            stroke: line(0.25, '#ffffff'),
          }),
        ],
        { justify: 'end', wrap: false },
      ),
    ],
  );

const quest = (): Template =>
  template(
    'quest',
    'Quest',
    'A task in steps, on parchment',
    { size: 'tarot', ground: linear(170, '#f6ead0', '#dfc79a') },
    {
      Title: 'The Sunken Bell',
      Task: 'Find the bell before the next spring tide comes in.',
      'Step 1': 'Ask the ferryman what he heard.',
      'Step 2': 'Dive at low water. *Roll against cold.*',
      'Step 3': 'Ring it **once**, never twice.',
      Reward: '3 renown, 1 secret',
    },
    (w, h) => [
      shape('Border', [4, 4, w - 8, h - 8], {
        fill: { kind: 'none' },
        radius: 2,
        stroke: line(0.5, '#7a4b1f'),
      }),
      shape('Inner border', [5.2, 5.2, w - 10.4, h - 10.4], {
        fill: { kind: 'none' },
        radius: 1.4,
        stroke: line(0.2, '#7a4b1f'),
      }),
      label(
        'Kind',
        [8, 9, w - 16, 10],
        'A quest in three parts',
        { family: 'cinzel', size: 7, align: 'center', color: '#7a4b1f' },
        { curve: 26 },
      ),
      field(
        'Title',
        [8, 19, w - 16, 11],
        { family: 'cinzel', weight: 700, size: 19, align: 'center', color: '#4a2208' },
        { minSize: 11 },
      ),
      field(
        'Task',
        [10, 31, w - 20, 11],
        { family: 'lora', italic: true, size: 10, align: 'center', color: '#5b3a16' },
        { minSize: 7 },
      ),
      group(
        'Steps',
        [10, 45, w - 20, 56],
        [1, 2, 3].map((step) =>
          group(
            `Part ${step}`,
            [0, 0, w - 20, 17],
            [
              shape('Seal', [0, 3, 9, 9], { shape: 'ellipse', fill: radial('#c0392b', '#7b1e14') }),
              label('Number', [0, 3, 9, 9], String(step), {
                family: 'cinzel',
                weight: 700,
                size: 12,
                align: 'center',
                color: '#fbeecb',
              }),
              field(`Step ${step}`, [12, 0, w - 32, 15], { size: 10, color: '#2b1a0a' }, { minSize: 7 }),
            ],
            { arrange: 'free' },
          ),
        ),
        { direction: 'column', gap: 1.5, justify: 'space-between' },
      ),
      field(
        'Reward',
        [10, h - 18, w - 20, 8],
        { family: 'cinzel', weight: 700, size: 9, align: 'center', color: '#fbeecb' },
        { fill: '#7a4b1f', radius: 4, minSize: 6 },
      ),
    ],
  );

/** Heroes, spells, places and things. */
export const fantasyTemplates = (): Template[] => [hero(), spell(), treasure(), place(), quest()];
