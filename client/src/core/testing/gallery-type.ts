import { card, type GalleryCard, image, shadow, solid, text } from './gallery-build.ts';
import { VARIABLE_FONT } from './variable-font.ts';

const PROSE =
  'When the ember tide rises, each player may discard two cards to draw another. Extraordinary circumstances notwithstanding, the responsibility for reconstruction remains undistributed.';
const HEBREW = 'שלום 123 עולם (abc) טוב';
const ARABIC = 'مرحبا بالعالم 42';

/** Cards of type: everything text can do. */
export function typeCards(): GalleryCard[] {
  return [
    card('two directions', [
      text([4, 4, 55, 12], HEBREW, { size: 16, align: 'right' }),
      text([4, 18, 55, 12], ARABIC, { size: 16, align: 'center' }),
      text([4, 32, 55, 16], `Say ${HEBREW} or ${ARABIC}, then go.`, { size: 11 }),
      text([4, 52, 55, 30], `${ARABIC} ${HEBREW} / ${HEBREW} ${ARABIC} ${ARABIC}`, {
        size: 12,
        align: 'justify',
      }),
    ]),
    card('hyphenated', [
      text([4, 4, 26, 60], PROSE, { size: 9, align: 'justify', hyphenate: 'en-us' }, { fit: 'none' }),
      text(
        [33, 4, 26, 60],
        'Donaudampfschifffahrtsgesellschaft und Verantwortungsbewusstsein sind Wortzusammensetzungen.',
        { size: 9, hyphenate: 'de-1996' },
        { fit: 'none' },
      ),
    ]),
    card('columns', [
      text([4, 4, 55, 40], `${PROSE} / ${PROSE}`, { size: 8 }, { columns: 2, columnGap: 4 }),
      text(
        [4, 48, 55, 36],
        `${PROSE} ${PROSE}`,
        { size: 8, align: 'justify' },
        { columns: 3, columnGap: 2, fill: solid('#f8f9fa'), padding: [1, 1, 1, 1] },
      ),
    ]),
    card('too long', [
      text([4, 4, 55, 12], PROSE, { size: 10 }, { fit: 'ellipsis' }),
      text(
        [4, 20, 30, 7],
        'Keeper of the Ninefold Lantern',
        { family: 'cinzel', size: 12, weight: 700 },
        { fit: 'squash' },
      ),
      text([4, 30, 55, 16], PROSE, { size: 12 }, { fit: 'squash' }),
      text([4, 50, 55, 14], PROSE, { size: 12 }, { fit: 'group' }),
      text([4, 70, 20, 10], PROSE, { size: 9 }, { fit: 'none', opacity: 0.5 }),
    ]),
    card('letters', [
      text([4, 4, 55, 8], 'Small Capitals of Lora', { family: 'lora', size: 14, smallCaps: true }),
      text([4, 14, 55, 8], '0123456789 affine office', {
        family: 'eb-garamond',
        size: 14,
        features: 'onum, liga=0',
      }),
      text([4, 24, 55, 8], '1/2 3/4 H2O', { family: 'inter', size: 12, features: 'frac' }),
      text([4, 34, 55, 8], 'words set far apart', { size: 12, wordSpacing: 0.8 }),
      text([4, 44, 55, 8], 'letters set apart', { size: 12, letterSpacing: 0.15, wordSpacing: 0.3 }),
      text([4, 54, 55, 8], 'letters set tight', { size: 12, letterSpacing: -0.05 }),
    ]),
    card('bent', [
      text(
        [9, 8, 45, 22],
        'Arching over **bold**',
        { family: 'cinzel', size: 13, align: 'center', vAlign: 'middle' },
        { curve: 120 },
      ),
      text(
        [9, 32, 45, 22],
        'sagging below {Icons/drop.png} ice',
        { family: 'lora', size: 13, align: 'center', vAlign: 'middle' },
        { curve: -90 },
      ),
      text(
        [12, 56, 40, 28],
        'Round and round the seal goes, ',
        {
          family: 'oswald',
          size: 10,
          align: 'center',
          vAlign: 'middle',
          outline: { color: '#ffd166', width: 0.3 },
        },
        { curve: 300, textShadows: [shadow(0.3, 0.3, 0, '#00000055')] },
      ),
    ]),
    {
      ...card(
        'styles and icons',
        [
          text(
            [4, 4, 55, 40],
            '{Fire:Burns {Loud:very {b:hot}} here} {drop} / {drop, 2, 0.2} twice as large\n\n/\n\nafter a slash between empty lines.',
            { size: 11 },
          ),
          text([4, 48, 55, 30], '* one {drop}\n* {Fire:two}\n* three', { size: 10 }),
        ],
        {
          variables: [
            { kind: 'style', name: 'Fire', style: { color: '#d62828', italic: true } },
            { kind: 'style', name: 'Loud', style: { scale: 1.5, family: 'cinzel' } },
            { kind: 'icon', name: 'drop', source: 'Icons/drop.png', size: 1.1, offset: 0.05 },
          ],
        },
      ),
    },
    card(
      'variable font',
      [
        text([4, 4, 55, 10], 'Light and narrow', {
          family: 'own-variable',
          weight: 150,
          axes: 'wdth=75',
          size: 9,
        }),
        text([4, 16, 55, 10], 'As the file has it', { family: 'own-variable', size: 9 }),
        text([4, 28, 55, 10], 'Between the two', {
          family: 'own-variable',
          weight: 630,
          axes: 'wdth=112',
          size: 9,
        }),
        text([4, 40, 55, 30], 'Words **made heavy** among **others, wider** than usual', {
          family: 'own-variable',
          axes: 'wdth=125',
          size: 9,
          align: 'justify',
        }),
        text(
          [4, 72, 55, 10],
          'Heaviest',
          { family: 'own-variable', weight: 900, size: 14 },
          { fit: 'squash' },
        ),
      ],
      { fonts: [VARIABLE_FONT] },
    ),
    card('emoji', [
      text([4, 4, 55, 14], 'Win 🎲 or 👍🏽 lose 🐉', { size: 18 }),
      text([4, 22, 55, 14], 'Fallback: ★ → Ω Ж ﻼ ⚔', { size: 14 }),
      text([4, 40, 55, 14], '🔥 turned 🔥', { size: 16, align: 'center' }, { rotation: -10, opacity: 0.7 }),
    ]),
    card('translucent type', [
      image([-3.175, -3.175, 69.85, 95.25], {}),
      text([4, 10, 55, 20], 'See through', {
        family: 'bebas-neue',
        size: 40,
        color: '#ffffff80',
        align: 'center',
      }),
      text(
        [4, 36, 55, 20],
        'Overlay',
        { family: 'oswald', weight: 700, size: 34, color: '#e9c46a', align: 'center' },
        { blend: 'overlay' },
      ),
      text(
        [4, 60, 55, 20],
        'Faded',
        {
          family: 'lora',
          italic: true,
          size: 30,
          color: '#fff',
          align: 'center',
          outline: { color: '#1d3557', width: 0.6 },
        },
        { opacity: 0.6 },
      ),
    ]),
    card(
      'words that are icons',
      [
        text(
          [4, 6, 55, 36],
          'Gain 2 Ember and 1 Long ember. **Ember** stands in bold text too, {Ember, 1.6, 0.2} larger; embers do not. {Keyword:Guard} counts double.',
          { size: 11 },
          { fill: solid('#edf2f4'), padding: [2, 2, 2, 2], radius: [2, 2, 2, 2] },
        ),
        text([4, 48, 55, 30], 'Ember Ember Ember', { size: 22, align: 'center', vAlign: 'middle' }),
      ],
      {
        variables: [
          { kind: 'icon', name: 'Ember', source: 'Icons/drop.png', size: 1, offset: 0, anywhere: true },
          {
            kind: 'icon',
            name: 'Long ember',
            source: 'Icons/drop.png',
            size: 1.5,
            offset: 0.2,
            anywhere: true,
          },
          { kind: 'style', name: 'Keyword', style: { weight: 700, color: '#8d2b14', scale: 1.2 } },
        ],
      },
    ),
  ];
}
