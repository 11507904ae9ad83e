import {
  field,
  grid,
  label,
  line,
  linear,
  radial,
  repeat,
  shadow,
  shape,
  solid,
  type Template,
  template,
} from './build.ts';

const token = (): Template =>
  template(
    'token',
    'Round token',
    'A chip with text around its rim',
    { size: 'poker-chip', ground: radial('#ffd166', '#ef8e19') },
    { Name: 'Harbour guild', Value: '5' },
    (w) => [
      shape('Ring', [3, 3, w - 6, w - 6], {
        shape: 'ellipse',
        fill: { kind: 'none' },
        stroke: { color: '#7a3b00', width: 0.8, align: 'inside', dash: [1.6, 1] },
      }),
      label(
        'Rim',
        [6.5, 6.5, w - 13, 8],
        '{{Name}}',
        {
          family: 'oswald',
          size: 8,
          align: 'center',
          color: '#7a3b00',
          letterSpacing: 0.08,
          transform: 'uppercase',
        },
        { curve: 130, fit: 'none' },
      ),
      field(
        'Value',
        [8, 10, w - 16, w - 18],
        { family: 'bebas-neue', size: 44, align: 'center', color: '#5b2a00' },
        { textShadows: [{ color: '#ffffff99', dx: 0, dy: 0.3, blur: 0, spread: 0 }] },
      ),
    ],
  );

const tile = (): Template =>
  template(
    'tile',
    'Hex tile',
    'Land to lay down',
    { size: 'hex', ground: linear(160, '#a7c957', '#386641') },
    { Land: 'Meadow', Yield: '2', Colour: '#6a994e' },
    (w, h) => [
      shape('Land', [8, 7, w - 16, h - 14], {
        clipPath: 'polygon(25% 0%, 75% 0%, 100% 50%, 75% 100%, 25% 100%, 0% 50%)',
        fill: '#6a994e',
        stroke: line(0.6, '#f2e8cf'),
        bindings: { fill: { mode: 'column', column: 'Colour' } },
      }),
      shape('Disc', [w / 2 - 12, h / 2 - 12, 24, 24], {
        shape: 'ellipse',
        fill: '#f2e8cf',
        shadows: [shadow(0.6, 2)],
      }),
      field('Yield', [w / 2 - 12, h / 2 - 12, 24, 24], {
        family: 'bebas-neue',
        size: 42,
        align: 'center',
        color: '#386641',
      }),
      field(
        'Land',
        [w / 2 - 22, h - 24, 44, 9],
        { family: 'cinzel', weight: 700, size: 13, align: 'center', color: '#f2e8cf' },
        { minSize: 8 },
      ),
    ],
  );

const domino = (): Template =>
  template(
    'domino',
    'Domino',
    'Two halves, two numbers',
    { size: 'domino', ground: '#fbf7ee' },
    { Top: '3', Bottom: '5' },
    (w, h) => [
      shape('Divide', [5, h / 2 - 0.4, w - 10, 0.8], { fill: '#2b2d33', radius: 0.4 }),
      ...(['Top', 'Bottom'] as const).map((half, at) =>
        repeat(
          half,
          [8, at * (h / 2) + 7, w - 16, h / 2 - 14],
          `number(${half}, 0)`,
          [7, 7],
          [shape('Pip', [0, 0, 7, 7], { shape: 'ellipse', fill: radial('#565a66', '#14161a') })],
          { justify: 'center', align: 'center', gap: 2 },
        ),
      ),
    ],
  );

const cardBack = (): Template =>
  template('back', 'Card back', 'A pattern, the same upside down', { ground: '#1d3557' }, {}, (w, h) => [
    grid('Pattern', [-3.2, -3.2, w + 6.4, h + 6.4], {
      cells: 'hex-pointy',
      cols: 9,
      rows: 15,
      gap: 0.5,
      cellFill: solid('#26446d'),
      cellStroke: line(0.15, '#457b9d'),
    }),
    shape('Frame', [4, 4, w - 8, h - 8], {
      fill: { kind: 'none' },
      radius: 2.5,
      stroke: line(0.8, '#f1faee'),
    }),
    shape('Medal', [w / 2 - 15, h / 2 - 15, 30, 30], {
      shape: 'star',
      points: 12,
      inner: 0.8,
      fill: radial('#f1faee', '#a8dadc'),
      stroke: line(0.6, '#1d3557'),
      shadows: [shadow(0, 3, '#00000088')],
    }),
    shape('Core', [w / 2 - 8, h / 2 - 8, 16, 16], {
      shape: 'polygon',
      points: 6,
      fill: linear(135, '#e63946', '#8d0f1f'),
    }),
  ]);

const help = (): Template =>
  template(
    'help',
    'Turn summary',
    'A help card in two columns',
    { size: 'jumbo', ground: '#fffdf7' },
    {
      Title: 'Your turn',
      Text: '**1. Draw** two cards. / **2. Play** as many as you like, one of each colour. / **3. Move** up to three places; water costs two. / **4. Trade** with whoever shares your place. / **5. Discard** down to seven. / **Winning.** The game ends when the last torch goes out. Count towns, roads and secrets. / **Ties** go to whoever has fewer cards. / **Lamps** count two at night. / **Storms** end every move at once; ships at sea lose one crate. / **Guests** may sit in at any time: deal them five cards and a torch.',
    },
    (w, h) => [
      shape('Head', [-3.2, -3.2, w + 6.4, 30], { fill: linear(90, '#264653', '#2a9d8f') }),
      field(
        'Title',
        [7, 6, w - 14, 16],
        { family: 'cinzel', weight: 700, size: 26, color: '#ffffff' },
        { minSize: 14 },
      ),
      field(
        'Text',
        [7, 33, w - 14, h - 42],
        { size: 12, color: '#23262d', vAlign: 'top', hyphenate: 'en-us' },
        { columns: 2, columnGap: 6, minSize: 7 },
      ),
    ],
  );

const event = (): Template =>
  template(
    'event',
    'Event',
    'A page of the day’s news',
    { ground: '#f4f0e6' },
    {
      Paper: 'The Harbour Courier',
      Headline: 'Lamps out along the quay',
      Story:
        'Nobody saw who cut the lines. **All players discard one light.** The watch has doubled its rounds and asks that shutters stay closed until further notice. / The harbour master will not say when the lamps return. **Ships pay one more** to land tonight; pilots are to be had at the old mole, for twice the fare.',
      Day: '12',
    },
    (w) => [
      field(
        'Paper',
        [5, 4.5, w - 10, 7],
        { family: 'cinzel', weight: 700, size: 11, align: 'center', color: '#1c1b19' },
        { minSize: 7 },
      ),
      shape('Rule above', [5, 12, w - 10, 0.5], { fill: '#1c1b19' }),
      label('Date', [5, 12.6, w - 10, 3.6], 'Day {{Day}} · One penny', {
        family: 'lora',
        size: 6.5,
        align: 'center',
        color: '#55504a',
      }),
      shape('Rule under', [5, 16.6, w - 10, 0.2], { fill: '#1c1b19' }),
      field(
        'Headline',
        [5, 18, w - 10, 16],
        {
          family: 'oswald',
          weight: 700,
          size: 17,
          align: 'center',
          color: '#1c1b19',
          transform: 'uppercase',
          lineHeight: 1.1,
        },
        { minSize: 9 },
      ),
      shape('Picture', [5, 35.5, w - 10, 17], {
        fill: linear(180, '#8b857a', '#3d3a35'),
        filters: [{ kind: 'grayscale', amount: 1 }],
      }),
      field(
        'Story',
        [5, 54.5, w - 10, 29],
        { size: 8.5, align: 'justify', vAlign: 'top', color: '#1c1b19', hyphenate: 'en-us' },
        { columns: 2, columnGap: 3, minSize: 6 },
      ),
    ],
  );

/** Tokens, tiles, backs and help. */
export const pieceTemplates = (): Template[] => [token(), tile(), domino(), cardBack(), help(), event()];
