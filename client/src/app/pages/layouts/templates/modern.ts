import {
  field,
  formula,
  grid,
  imageZone,
  label,
  line,
  linear,
  qr,
  radial,
  repeat,
  shadow,
  shape,
  solid,
  type Template,
  template,
} from './build.ts';

const CUT_CORNER = 'polygon(0% 0%, 88% 0%, 100% 8%, 100% 100%, 12% 100%, 0% 92%)';

const ship = (): Template =>
  template(
    'ship',
    'Ship',
    'Cold colours, cut corners, meters',
    { ground: linear(180, '#0b1a2b', '#050b14') },
    {
      Name: 'Kestrel',
      Class: 'Courier',
      Rules: '**Slip.** Spend 1 fuel to leave any zone before the others act.',
      Hull: '3',
      Fuel: '5',
      Cost: '12',
      Art: '',
    },
    (w, h) => [
      shape('Screen', [4, 14, w - 8, 34], {
        clipPath: CUT_CORNER,
        fill: radial('#1f5673', '#0a1e30'),
        stroke: line(0.35, '#3fd0c9'),
      }),
      imageZone('Art', [4.4, 14.4, w - 8.8, 33.2], { clipPath: CUT_CORNER }),
      field(
        'Name',
        [5, 4, w - 24, 9],
        {
          family: 'oswald',
          weight: 700,
          size: 15,
          color: '#e8fbff',
          transform: 'uppercase',
          letterSpacing: 0.06,
        },
        { minSize: 8 },
      ),
      label(
        'Cost',
        [w - 18, 4.6, 13, 7.6],
        '{{Cost}} cr',
        { family: 'oswald', size: 8.5, align: 'center', color: '#0b1a2b' },
        { fill: '#3fd0c9', radius: 1 },
      ),
      field('Class', [5, 49, w - 10, 5], {
        family: 'inter',
        size: 7,
        color: '#3fd0c9',
        letterSpacing: 0.16,
        transform: 'uppercase',
      }),
      field(
        'Rules',
        [5, 54.5, w - 10, 17],
        { family: 'inter', size: 8, color: '#d5e3ea', vAlign: 'top' },
        { minSize: 6 },
      ),
      ...(['Hull', 'Fuel'] as const).flatMap((meter, at) => [
        label(`${meter} name`, [5, 72.5 + at * 6, 12, 5], meter, {
          family: 'inter',
          weight: 700,
          size: 6.5,
          color: '#8fb3c4',
          transform: 'uppercase',
        }),
        repeat(
          `${meter} meter`,
          [18, 73.2 + at * 6, w - 24, 4],
          `min(number(${meter}, 0), 8)`,
          [4, 3.4],
          [shape('Cell', [0, 0, 4, 3.4], { radius: 0.6, fill: at === 0 ? '#e4572e' : '#3fd0c9' })],
          { wrap: false, gap: 0.8 },
        ),
      ]),
      shape('Rule', [5, h - 4.6, w - 10, 0.3], { fill: '#3fd0c9' }),
    ],
  );

const action = (): Template =>
  template(
    'action',
    'Action',
    'One word, large',
    { ground: '#f3efe6' },
    {
      Word: 'Swap',
      Rules: 'Trade hands with anyone who holds more cards than you do.',
      Colour: '#d1495b',
      Number: '7',
    },
    (w, h) => [
      shape('Field', [-3.2, -3.2, w + 6.4, h * 0.62], {
        fill: '#d1495b',
        bindings: { fill: { mode: 'column', column: 'Colour' } },
      }),
      field(
        'Word',
        [5, 8, w - 10, 36],
        { family: 'bebas-neue', size: 60, align: 'center', color: '#ffffff', lineHeight: 0.95 },
        { minSize: 20 },
      ),
      field(
        'Rules',
        [7, h * 0.62, w - 14, h * 0.3],
        { family: 'inter', size: 10.5, align: 'center', color: '#23262d' },
        { minSize: 7 },
      ),
      field('Number', [4, 4, 9, 8], { family: 'bebas-neue', size: 18, color: '#ffffffcc' }),
    ],
  );

const question = (): Template =>
  template(
    'question',
    'Questions',
    'Four questions, four colours',
    { size: 'tarot', ground: '#ffffff' },
    {
      Easy: 'Which bird carries letters in old stories?',
      Fair: 'What does a ship’s bell strike eight times for?',
      Hard: 'Which metal is liquid on a warm day?',
      Fiendish: 'How many sides has a chiliagon?',
      Answers: 'Pigeon · End of the watch · Gallium · A thousand',
    },
    (w, h) => [
      ...(['Easy', 'Fair', 'Hard', 'Fiendish'] as const).flatMap((level, at) => {
        const color = ['#2a9d8f', '#e9a23b', '#e76f51', '#5f3dc4'][at] ?? '#000000';
        const top = 6 + at * 23;
        return [
          shape(`${level} bar`, [5, top, 2.4, 20], { fill: color, radius: 1.2 }),
          label(`${level} label`, [10, top, w - 16, 5], level, {
            family: 'oswald',
            weight: 700,
            size: 8,
            color,
            transform: 'uppercase',
            letterSpacing: 0.1,
          }),
          field(
            level,
            [10, top + 5, w - 16, 15],
            { family: 'inter', size: 10, color: '#23262d', vAlign: 'top' },
            { minSize: 7 },
          ),
        ];
      }),
      field(
        'Answers',
        [6, h - 21, w - 12, 14],
        { family: 'inter', size: 7.5, align: 'center', color: '#6b7280' },
        { rotation: 180, fill: '#f1f3f5', radius: 2, padding: [1, 2, 1, 2], minSize: 5 },
      ),
    ],
  );

const playing = (): Template =>
  template(
    'playing',
    'Playing card',
    'Rank and suit, pips by number',
    { ground: '#ffffff' },
    { Rank: '7', Suit: '♥' },
    (w, h) => {
      const ink = formula("contains('♥♦', Suit) ? '#c1121f' : '#14161a'");
      const index = (box: readonly [number, number, number, number], rotation: number) =>
        label(
          'Index',
          box,
          '{{Rank}}\n{{Suit}}',
          { family: 'lora', weight: 700, size: 17, align: 'center', vAlign: 'top', lineHeight: 0.95 },
          { rotation, bindings: { 'style.color': ink } },
        );
      return [
        index([3, 4, 9, 18], 0),
        index([w - 12, h - 22, 9, 18], 180),
        repeat(
          'Pips',
          [15, 12, w - 30, h - 24],
          "switch(Rank, 'A', 1, 'J', 1, 'Q', 1, 'K', 1, number(Rank, 1))",
          [11, 13],
          [
            label(
              'Pip',
              [0, 0, 11, 13],
              '{{Suit}}',
              { size: 27, align: 'center' },
              { fit: 'none', bindings: { 'style.color': ink } },
            ),
          ],
          { justify: 'center', align: 'center', direction: 'row' },
        ),
      ];
    },
  );

const resource = (): Template =>
  template(
    'resource',
    'Resource',
    'A big sign and a count',
    { size: 'mini-euro', ground: linear(180, '#fdf6e3', '#f0e0bb') },
    { Name: 'Timber', Sign: '🪵', Count: '2', Colour: '#8a5a2b' },
    (w, h) => [
      shape('Disc', [6, 11, w - 12, w - 12], {
        shape: 'ellipse',
        fill: '#8a5a2b',
        shadows: [shadow(0.6, 1.6)],
        bindings: { fill: { mode: 'column', column: 'Colour' } },
      }),
      shape('Rim', [8, 13, w - 16, w - 16], {
        shape: 'ellipse',
        fill: { kind: 'none' },
        stroke: line(0.4, '#ffffffaa'),
      }),
      field('Sign', [8, 13, w - 16, w - 16], { size: 44, align: 'center', color: '#ffffff' }),
      field(
        'Name',
        [3, h - 18, w - 6, 8],
        {
          family: 'oswald',
          weight: 700,
          size: 12,
          align: 'center',
          color: '#4a3113',
          transform: 'uppercase',
          letterSpacing: 0.08,
        },
        { minSize: 7 },
      ),
      label('Count', [w / 2 - 6, 3, 12, 7], '× {{Count}}', {
        family: 'oswald',
        size: 10,
        align: 'center',
        color: '#4a3113',
      }),
    ],
  );

const money = (): Template =>
  template(
    'money',
    'Banknote',
    'Paper money, both values',
    { size: 'bridge', landscape: true, ground: linear(90, '#dcebdc', '#b7d3b5') },
    { Value: '50', Bank: 'Bank of the Lower Harbour', Serial: 'H 004217' },
    (w, h) => [
      shape('Border', [3.5, 3.5, w - 7, h - 7], {
        fill: { kind: 'none' },
        stroke: line(0.8, '#2f5d3a'),
        radius: 1.5,
      }),
      grid('Guilloche', [6, 6, w - 12, h - 12], {
        cells: 'hex-pointy',
        cols: 18,
        rows: 13,
        cellFill: { kind: 'none' },
        cellStroke: { color: '#2f5d3a40', width: 0.15, align: 'center', dash: [] },
      }),
      shape('Medallion', [w / 2 - 15, h / 2 - 15, 30, 30], {
        shape: 'star',
        points: 24,
        inner: 0.9,
        fill: radial('#f4faf2', '#8fbf93'),
        stroke: line(0.4, '#2f5d3a'),
      }),
      field('Value', [w / 2 - 15, h / 2 - 15, 30, 30], {
        family: 'cinzel',
        weight: 700,
        size: 30,
        align: 'center',
        color: '#1d4427',
      }),
      ...[
        [6, 5],
        [w - 20, h - 15],
      ].map(([x = 0, y = 0]) =>
        label('Corner', [x, y, 14, 10], '{{Value}}', {
          family: 'cinzel',
          weight: 700,
          size: 16,
          align: 'center',
          color: '#2f5d3a',
        }),
      ),
      field('Bank', [22, 6, w - 28, 6], { family: 'cinzel', size: 8, align: 'right', color: '#2f5d3a' }),
      field('Serial', [6, h - 12, 30, 5], { family: 'oswald', size: 7, color: '#2f5d3a' }),
    ],
  );

const identity = (): Template =>
  template(
    'identity',
    'Secret role',
    'Who you are, kept hidden',
    { ground: linear(180, '#8d0f1f', '#3a0610') },
    {
      Role: 'The Informant',
      Side: 'With the guild',
      Goal: 'Win if the guild wins and you are never accused.',
      Art: '',
    },
    (w, h) => [
      shape('Frame', [4.5, 4.5, w - 9, h - 9], {
        fill: { kind: 'none' },
        stroke: line(0.35, '#f4d58d'),
        radius: 2,
      }),
      shape('Diamond', [w / 2 - 17, 12, 34, 34], {
        clipPath: 'polygon(50% 0%, 100% 50%, 50% 100%, 0% 50%)',
        fill: radial('#f4d58d', '#a4722a'),
      }),
      imageZone('Art', [w / 2 - 15, 14, 30, 30], { clipPath: 'polygon(50% 0%, 100% 50%, 50% 100%, 0% 50%)' }),
      field(
        'Role',
        [7, 48, w - 14, 11],
        { family: 'cinzel', weight: 700, size: 15, align: 'center', color: '#fbeecb' },
        { minSize: 9 },
      ),
      label(
        'Side',
        [10, 59.5, w - 20, 5.5],
        '{{Side}}',
        { family: 'oswald', size: 8, align: 'center', color: '#3a0610' },
        { fill: '#f4d58d', radius: 2.7 },
      ),
      field(
        'Goal',
        [8, 66, w - 16, 15],
        { family: 'lora', size: 8.5, align: 'center', color: '#fbe9e0' },
        { minSize: 6 },
      ),
    ],
  );

const words = (): Template =>
  template(
    'words',
    'Word and taboos',
    'A word to explain, five not to say',
    { ground: '#fffaf0' },
    { Word: 'Lighthouse', Taboos: 'sea, lamp, ship, tower, rock' },
    (w) => [
      shape('Head', [-3.2, -3.2, w + 6.4, 32], { fill: linear(135, '#ff7f50', '#e0457b') }),
      field(
        'Word',
        [5, 6, w - 10, 20],
        { family: 'oswald', weight: 700, size: 24, align: 'center', color: '#ffffff' },
        { minSize: 12 },
      ),
      repeat(
        'Taboos',
        [6, 34, w - 12, 48],
        'split(Taboos)',
        [w - 12, 8.4],
        [
          label(
            'Taboo',
            [0, 0, w - 12, 8.4],
            '{{item}}',
            { family: 'inter', size: 12, align: 'center', color: '#3a2230' },
            { minSize: 8 },
          ),
          shape('Under', [10, 8.2, w - 32, 0.2], { fill: '#e0457b66' }),
        ],
        { direction: 'column', wrap: false, gap: 1 },
      ),
    ],
  );

const vocabulary = (): Template =>
  template(
    'vocabulary',
    'Vocabulary',
    'A word, its sound, an example',
    { size: 'business', landscape: true, ground: '#fdfdfb' },
    {
      Word: 'la golondrina',
      Sound: '/golon’drina/',
      Meaning: 'swallow (the bird)',
      Example: 'Volverán las oscuras golondrinas.',
      Level: 'A2',
    },
    (w, h) => [
      shape('Edge', [-3.2, -3.2, 8, h + 6.4], { fill: linear(180, '#457b9d', '#1d3557') }),
      field(
        'Word',
        [9, 5, w - 24, 13],
        { family: 'lora', weight: 700, size: 20, color: '#1d3557' },
        { minSize: 11 },
      ),
      field('Sound', [9, 18, w - 18, 5], { family: 'inter', size: 8, color: '#6b7280' }),
      field('Meaning', [9, 25, w - 18, 8], { family: 'inter', size: 11, color: '#23262d' }, { minSize: 7 }),
      field(
        'Example',
        [9, 35, w - 18, 11],
        { family: 'lora', italic: true, size: 9, color: '#457b9d', vAlign: 'top' },
        { minSize: 6 },
      ),
      label(
        'Level',
        [w - 15, 5, 10, 6.5],
        '{{Level}}',
        { family: 'inter', weight: 700, size: 8, align: 'center', color: '#ffffff' },
        { fill: '#457b9d', radius: 3.2 },
      ),
    ],
  );

const score = (): Template =>
  template(
    'score',
    'Score sheet',
    'Rows and boxes to write in',
    { size: 'index', ground: '#ffffff' },
    { Title: 'Final score', Rows: 'Towns, Roads, Ships, Secrets, Bonus', Link: '' },
    (w, h) => [
      field(
        'Title',
        [6, 6, w - 30, 12],
        { family: 'oswald', weight: 700, size: 20, color: '#23262d' },
        { minSize: 11 },
      ),
      qr('Link', [w - 24, 5, 18, 18], { quiet: 0 }),
      repeat(
        'Lines',
        [6, 28, w - 12, h - 50],
        'split(Rows)',
        [w - 12, 13],
        [
          label(
            'Row',
            [0, 0, 24, 11],
            '{{item}}',
            { family: 'inter', size: 9.5, color: '#23262d' },
            { minSize: 6 },
          ),
          grid('Boxes', [25, 0, w - 37, 11], {
            cols: 4,
            rows: 1,
            gap: 1.2,
            cellFill: solid('#f8f9fa'),
            cellStroke: line(0.25, '#adb5bd'),
          }),
        ],
        { direction: 'column', wrap: false },
      ),
      label('Total', [6, h - 19, 24, 12], 'Total', {
        family: 'inter',
        weight: 700,
        size: 11,
        color: '#23262d',
      }),
      grid('Total boxes', [31, h - 19, w - 37, 12], {
        cols: 4,
        rows: 1,
        gap: 1.2,
        cellFill: solid('#fff3bf'),
        cellStroke: line(0.3, '#868e96'),
      }),
    ],
  );

/** Space, words, numbers and money. */
export const modernTemplates = (): Template[] => [
  ship(),
  action(),
  question(),
  playing(),
  resource(),
  money(),
  identity(),
  words(),
  vocabulary(),
  score(),
];
