import type { Blend, Filter } from '../scene/style/paint.ts';
import { blendSchema } from '../scene/style/paint.ts';
import type { CodeZone } from '../scene/zones/code.ts';
import { newZone, type Zone } from '../scene/zones.ts';
import {
  boxed,
  card,
  container,
  type GalleryCard,
  image,
  nextId,
  shadow,
  shape,
  solid,
  text,
} from './gallery-build.ts';

const RAINBOW = [
  { at: 0, color: '#e63946' },
  { at: 0.33, color: '#ffd166' },
  { at: 0.66, color: '#06d6a0' },
  { at: 1, color: '#e63946' },
];
const BLENDS: readonly Blend[] = blendSchema.options;
const SHIELD = 'M50 0 L100 15 L100 50 C100 80 70 95 50 100 C30 95 0 80 0 50 L0 15 Z';
const FULL = [-3.175, -3.175, 69.85, 95.25] as const;

/** Sixteen tiles with one zone each. */
function sheet(make: (box: readonly [number, number, number, number], index: number) => Zone): Zone[] {
  return Array.from({ length: 16 }, (_, index) =>
    make([4 + (index % 4) * 14, 5 + Math.floor(index / 4) * 20, 13, 18], index),
  );
}

function filtered(name: string, filters: Filter[]): GalleryCard {
  return card(name, [
    image([5, 5, 53, 36], { filters }),
    shape([8, 48, 20, 20], {
      shape: 'star',
      fill: solid('#e76f51'),
      filters,
      shadows: [shadow(1, 1, 2, '#00000080')],
    }),
    text([30, 48, 28, 20], 'Words **under** a filter', { size: 12 }, { filters, fill: solid('#fefae0') }),
  ]);
}

function code(
  symbology: CodeZone['symbology'],
  words: string,
  box: readonly [number, number, number, number],
): Zone {
  return { ...newZone('code', nextId(), 'Code', boxed(box)), symbology, text: words };
}

/** Cards of zones, paints and effects. */
export function effectCards(): GalleryCard[] {
  return [
    card('conic', [
      shape([5, 5, 53, 36], { fill: { kind: 'conic', cx: 0.5, cy: 0.5, angle: 30, stops: RAINBOW } }),
      shape([5, 46, 25, 25], {
        shape: 'ellipse',
        rotation: 20,
        fill: { kind: 'conic', cx: 0.3, cy: 0.4, angle: 0, stops: RAINBOW },
      }),
      text(
        [33, 46, 25, 25],
        'On a cone',
        { size: 14 },
        {
          fill: {
            kind: 'conic',
            cx: 0,
            cy: 0,
            angle: 90,
            stops: [
              { at: 0, color: '#caf0f8' },
              { at: 1, color: '#ffffff00' },
            ],
          },
        },
      ),
    ]),
    card('blends over a picture', [
      image(FULL, {}),
      ...sheet((box, index) =>
        shape(box, { fill: solid(index % 2 ? '#2a9d8f' : '#e9c46a'), blend: BLENDS[index] ?? 'normal' }),
      ),
    ]),
    card('blended groups', [
      image(FULL, {}),
      ...sheet((box, index) =>
        container(
          box,
          [
            shape([0, 0, 9, 12], { fill: solid('#e63946') }),
            shape([4, 6, 9, 12], { fill: solid('#a8dadc') }),
          ],
          {
            arrange: 'free',
            blend: BLENDS[index] ?? 'normal',
            opacity: 0.8,
          },
        ),
      ),
    ]),
    card('several shadows', [
      shape([10, 10, 43, 24], {
        radius: [2, 8, 2, 8],
        fill: solid('#ffffff'),
        shadows: [
          shadow(0, 0.5, 1, '#00000066'),
          shadow(0, 3, 8, '#1d355788', 1),
          shadow(-2, -2, 0, '#e63946'),
        ],
      }),
      text(
        [8, 46, 47, 16],
        'Glow',
        { family: 'cinzel', weight: 700, size: 34, color: '#fff', align: 'center' },
        {
          textShadows: [
            shadow(0, 0, 1, '#e63946'),
            shadow(0, 0, 4, '#e63946aa'),
            shadow(0.6, 0.8, 0, '#1d3557'),
          ],
        },
      ),
      shape([15, 68, 33, 12], {
        clipPath: SHIELD,
        fill: solid('#8ecae6'),
        shadows: [shadow(1, 1, 2, '#00000099')],
      }),
    ]),
    card('corners', [
      shape([5, 5, 25, 25], {
        radius: [0, 4, 8, 12],
        fill: solid('#457b9d'),
        stroke: { color: '#1d3557', width: 1, align: 'inside', dash: [] },
      }),
      image([33, 5, 25, 25], { radius: [12, 0, 12, 0], flipY: true }),
      text(
        [5, 36, 25, 20],
        'Flipped',
        { size: 16 },
        { flipX: true, fill: solid('#f1faee'), radius: [6, 0, 0, 6] },
      ),
      container(
        [33, 36, 25, 20],
        [shape([-3, -3, 20, 20], { fill: solid('#e63946') }), text([2, 8, 20, 8], 'both ways', { size: 10 })],
        {
          arrange: 'free',
          clip: true,
          radius: [0, 9, 0, 9],
          flipX: true,
          flipY: true,
          fill: solid('#a8dadc'),
        },
      ),
    ]),
    card('clip shapes', [
      image([5, 5, 25, 30], {
        clipPath: SHIELD,
        stroke: { color: '#1d3557', width: 0.8, align: 'center', dash: [] },
      }),
      shape([33, 5, 25, 30], {
        clipPath: 'polygon(50% 0%, 100% 50%, 50% 100%, 0% 50%)',
        fill: { kind: 'linear', angle: 90, stops: RAINBOW },
      }),
      text(
        [5, 40, 25, 30],
        'Text is cut to its shape too, wherever it goes on beyond the rim of it.',
        { size: 11 },
        { fit: 'none', clipPath: 'M50 0 A50 50 0 1 1 50 100 A50 50 0 1 1 50 0 Z', fill: solid('#ffe8d6') },
      ),
      container([33, 40, 25, 30], [image([-5, 0, 35, 30], {})], {
        arrange: 'free',
        rotation: 12,
        clipPath: 'M0 0H100V100H0Z M25 25H75V75H25Z',
      }),
    ]),
    card('masks', [
      image([5, 5, 53, 30], { mask: { source: 'Masks/band.png', by: 'brightness', fit: 'stretch' } }),
      shape([5, 40, 25, 25], {
        fill: solid('#e76f51'),
        mask: { source: 'Icons/drop.png', by: 'alpha', fit: 'contain' },
      }),
      container(
        [33, 40, 25, 25],
        [
          shape([0, 0, 25, 12], { fill: solid('#264653') }),
          text([0, 12, 25, 13], 'fading words', { size: 12, weight: 700 }),
        ],
        { arrange: 'free', rotation: -8, mask: { source: 'Masks/band.png', by: 'brightness', fit: 'cover' } },
      ),
    ]),
    filtered('filter blur', [{ kind: 'blur', amount: 0.6 }]),
    filtered('filter colours', [
      { kind: 'saturate', amount: 2 },
      { kind: 'contrast', amount: 1.2 },
      { kind: 'hue-rotate', amount: 90 },
    ]),
    filtered('filter sepia', [
      { kind: 'sepia', amount: 1 },
      { kind: 'brightness', amount: 0.8 },
    ]),
    filtered('filter gray', [{ kind: 'grayscale', amount: 1 }]),
    filtered('filter invert', [{ kind: 'invert', amount: 1 }]),
    card('tiles', [
      image([5, 5, 53, 25], { fit: 'tile', tile: 6, source: 'Icons/drop.png', fill: solid('#edf2f4') }),
      image([5, 33, 25, 25], { fit: 'tile', tile: 9, posX: 0, posY: 0, radius: [8, 8, 8, 8] }),
      shape([33, 33, 25, 25], {
        shape: 'star',
        points: 8,
        inner: 0.6,
        fill: {
          kind: 'image',
          source: 'Art/dusk.jpg',
          fit: 'tile',
          posX: 50,
          posY: 50,
          scale: 1,
          tile: 5,
          slice: [25, 25, 25, 25],
          sliceWidth: 5,
        },
      }),
    ]),
    card('nine-slice', [
      image([5, 5, 53, 20], { source: 'Frames/rope.png', fit: 'nine-slice', sliceWidth: 4 }),
      image([5, 28, 20, 55], { source: 'Frames/rope.png', fit: 'nine-slice', sliceWidth: 6 }),
      image([30, 30, 28, 28], {
        source: 'Frames/rope.png',
        fit: 'nine-slice',
        sliceWidth: 3,
        rotation: 15,
        opacity: 0.7,
      }),
    ]),
    card('fill by picture', [
      shape([5, 5, 53, 30], {
        shape: 'polygon',
        points: 6,
        fill: {
          kind: 'image',
          source: 'Art/dusk.jpg',
          fit: 'cover',
          posX: 0,
          posY: 0,
          scale: 1,
          tile: 10,
          slice: [25, 25, 25, 25],
          sliceWidth: 5,
        },
      }),
      text(
        [5, 40, 53, 20],
        'On a picture',
        { color: '#fff', size: 20, align: 'center', vAlign: 'middle' },
        {
          fill: {
            kind: 'image',
            source: 'Art/dusk.jpg',
            fit: 'stretch',
            posX: 0,
            posY: 0,
            scale: 1,
            tile: 10,
            slice: [25, 25, 25, 25],
            sliceWidth: 5,
          },
          radius: [5, 5, 5, 5],
        },
      ),
    ]),
    card('codes', [
      code('qr', 'https://example.org/cards/0042', [5, 5, 25, 25]),
      code('qr', 'Zażółć gęślą jaźń', [33, 5, 25, 25]),
      code('code128', 'CARD-0042', [5, 34, 53, 12]),
      code('ean13', '4006381333931', [5, 50, 53, 12]),
      { ...code('code39', 'A-1', [5, 66, 53, 12]), rotation: 180 },
    ]),
    card('grids', [
      {
        ...newZone('grid', nextId(), 'Grid', boxed([5, 5, 25, 25])),
        cols: 4,
        rows: 4,
        gap: 1,
        cellFill: solid('#f1faee'),
      },
      {
        ...newZone('grid', nextId(), 'Grid', boxed([33, 5, 25, 25])),
        cells: 'hex-pointy',
        cols: 4,
        rows: 5,
        cellFill: solid('#a8dadc'),
      },
      {
        ...newZone('grid', nextId(), 'Grid', boxed([5, 33, 25, 25])),
        cells: 'hex-flat',
        cols: 4,
        rows: 4,
        gap: 0.4,
        cellFill: solid('#ffd166'),
      },
      {
        ...newZone('grid', nextId(), 'Grid', boxed([33, 33, 25, 25])),
        cells: 'offset',
        cols: 3,
        rows: 3,
        cellFill: solid('#ffffff'),
        children: [
          text([1, 1, 6, 5], '{{cell}}', { size: 8 }),
          image([3, 4, 3, 3], { source: 'Icons/drop.png' }),
        ],
      },
    ]),
    {
      ...card('iterators', [
        {
          ...newZone('iterator', nextId(), 'Iterator', boxed([5, 5, 53, 8])),
          list: 'cost',
          children: [image([0, 0, 6, 6], { source: 'Icons/drop.png' })],
        },
        {
          ...newZone('iterator', nextId(), 'Iterator', boxed([5, 18, 53, 30])),
          list: 'split(tags)',
          itemW: 16,
          itemH: 7,
          justify: 'center',
          children: [
            text(
              [0, 0, 16, 7],
              '{{item}}',
              { size: 9, align: 'center', vAlign: 'middle' },
              { fill: solid('#e9ecef'), radius: [3, 3, 3, 3] },
            ),
          ],
        },
        {
          ...shape([5, 60, 20, 20], {}),
          bindings: { fill: { mode: 'formula', formula: "cost > 3 ? '#d62828' : '#003049'" } },
        },
        { ...shape([33, 60, 20, 20], {}), visibleIf: 'cost < 3' },
      ]),
      row: { cells: { cost: '5', tags: 'fire, beast; undead' } },
    },
  ];
}
