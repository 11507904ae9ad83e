import { newLayout } from '../scene/new-layout.ts';
import { presetSize } from '../scene/sizes.ts';
import { DRAWING_SVG } from './drawing-svg.ts';
import { boardCards } from './gallery-boards.ts';
import { card, container, type GalleryCard, image, shadow, shape, solid, text } from './gallery-build.ts';
import { dataCards } from './gallery-data.ts';
import { effectCards } from './gallery-effects.ts';
import { typeCards } from './gallery-type.ts';
import { bandPng, framePng, jpegBytes, pngBytes } from './images.ts';

export type { GalleryCard } from './gallery-build.ts';

/** Cards that together use every feature of the scene, for comparing painters. */
export const GALLERY_IMAGES: ReadonlyMap<string, Uint8Array> = new Map([
  ['Art/dusk.jpg', jpegBytes()],
  ['Icons/drop.png', pngBytes()],
  ['Frames/rope.png', framePng()],
  ['Masks/band.png', bandPng()],
  ['Icons/badge.svg', new TextEncoder().encode(DRAWING_SVG)],
]);

const LOREM =
  'When you **Finish an Expedition** in your *starship* and score a hit, this journey strengthened your ties / Take {Icons/drop.png, 0.9} or ****two {Icons/drop.png}**** and mark 1 tick. → ★ Zażółć gęślą jaźń.';

export function gallery(): GalleryCard[] {
  return [
    card('fills', [
      shape([5, 5, 25, 25], {
        fill: {
          kind: 'linear',
          angle: 45,
          stops: [
            { at: 0, color: '#e63946' },
            { at: 0.5, color: '#f1faee' },
            { at: 1, color: '#1d3557' },
          ],
        },
      }),
      shape([33, 5, 25, 25], {
        fill: {
          kind: 'radial',
          cx: 0.3,
          cy: 0.3,
          radius: 1,
          stops: [
            { at: 0, color: '#fff3b0' },
            { at: 1, color: '#9e2a2b' },
          ],
        },
      }),
      shape([5, 33, 25, 25], {
        shape: 'ellipse',
        fill: {
          kind: 'linear',
          angle: 90,
          stops: [
            { at: 0, color: '#0081a7' },
            { at: 1, color: '#0081a700' },
          ],
        },
      }),
      shape([33, 33, 25, 25], {
        fill: {
          kind: 'radial',
          cx: 0.5,
          cy: 0.5,
          radius: 0.7,
          stops: [
            { at: 0, color: '#00000000' },
            { at: 0.5, color: '#f4a261' },
            { at: 0.5, color: '#2a9d8f' },
            { at: 1, color: '#264653' },
          ],
        },
      }),
      shape([5, 61, 53, 22], { fill: solid('hsl(200, 60%, 40%)'), radius: [2, 8, 0, 11] }),
    ]),
    card('strokes', [
      shape([8, 8, 20, 20], { stroke: { color: '#d62828', width: 2, align: 'inside', dash: [] } }),
      shape([36, 8, 20, 20], {
        stroke: { color: '#d62828', width: 2, align: 'center', dash: [] },
        radius: [4, 4, 4, 4],
      }),
      shape([8, 36, 20, 20], {
        stroke: { color: '#003049', width: 2, align: 'outside', dash: [] },
        shape: 'ellipse',
      }),
      shape([36, 36, 20, 20], {
        stroke: { color: '#003049', width: 0.6, align: 'inside', dash: [2, 1] },
        fill: { kind: 'none' },
      }),
      shape([8, 62, 20, 20], {
        shape: 'star',
        points: 5,
        inner: 0.45,
        fill: solid('#fcbf49'),
        stroke: { color: '#f77f00', width: 0.5, align: 'center', dash: [] },
      }),
      shape([36, 62, 20, 20], { shape: 'polygon', points: 6, fill: solid('#90be6d') }),
    ]),
    card('shadows', [
      shape([8, 8, 46, 20], {
        fill: solid('#ffffff'),
        radius: [3, 3, 3, 3],
        shadows: [shadow(0, 1.5, 4, '#00000080')],
      }),
      shape([8, 36, 20, 20], {
        shape: 'ellipse',
        fill: solid('#ffb70380'),
        shadows: [shadow(1, 1, 0, '#023047'), shadow(-2, -2, 3, '#fb850099')],
      }),
      shape([36, 36, 20, 20], {
        shape: 'star',
        points: 7,
        fill: solid('#8ecae6'),
        shadows: [shadow(0, 0, 3, '#d00000', 1)],
      }),
      text(
        [5, 62, 53, 12],
        'Soft glow',
        { family: 'cinzel', weight: 700, size: 22, color: '#ffffff', align: 'center' },
        { textShadows: [shadow(0, 0.4, 1.6, '#1d3557')] },
      ),
      text(
        [5, 74, 53, 12],
        'Hard edge',
        { family: 'oswald', weight: 700, size: 20, color: '#e63946', align: 'center' },
        { textShadows: [shadow(0.5, 0.5, 0, '#00000066')] },
      ),
    ]),
    card('groups', [
      image([-3.175, -3.175, 69.85, 95.25], {}),
      shape([5, 5, 30, 30], { fill: solid('#e63946'), blend: 'multiply' }),
      shape([25, 20, 30, 30], { fill: solid('#2a9d8f'), blend: 'screen' }),
      container(
        [8, 50, 46, 30],
        [
          shape([0, 0, 26, 26], { fill: solid('#ffffff') }),
          shape([14, 6, 26, 20], { fill: solid('#000000') }),
        ],
        { arrange: 'free', opacity: 0.5, rotation: 12 },
      ),
    ]),
    card('images', [
      image([5, 5, 25, 25], { fit: 'cover', radius: [12.5, 12.5, 12.5, 12.5] }),
      image([33, 5, 25, 25], { fit: 'contain', fill: solid('#eeeeee') }),
      image([5, 33, 25, 25], {
        fit: 'stretch',
        flipX: true,
        stroke: { color: '#222222', width: 0.8, align: 'inside', dash: [] },
      }),
      image([33, 33, 25, 25], { fit: 'cover', posX: 0, scale: 1.5, rotation: 90 }),
      image([5, 61, 25, 22], { source: 'Icons/drop.png', fit: 'contain', opacity: 0.6 }),
      image([33, 61, 25, 22], { source: 'Icons/missing.png' }),
    ]),
    card('text', [
      text([4, 4, 55, 26], LOREM, { align: 'justify', size: 9 }),
      text([4, 32, 26, 24], LOREM, { family: 'inter', align: 'center', size: 9 }, { minSize: 3 }),
      text(
        [33, 32, 26, 24],
        LOREM,
        { family: 'lora', align: 'right', size: 9 },
        { minSize: 3, fill: solid('#f1f1f1'), padding: [1, 1, 1, 1] },
      ),
      text([4, 58, 55, 10], 'Outlined', {
        family: 'bebas-neue',
        size: 26,
        color: '#ffd166',
        outline: { color: '#073b4c', width: 0.5 },
      }),
      text([4, 70, 26, 8], '*made up* **bold**', { family: 'bebas-neue', size: 14 }),
      text([33, 70, 26, 8], 'spaced out', {
        family: 'oswald',
        transform: 'uppercase',
        letterSpacing: 0.2,
        size: 10,
      }),
      text([4, 79, 55, 8], '* one\n* two with *stress*\n* three', { size: 7 }),
    ]),
    card('turned', [
      text(
        [5, 35, 40, 10],
        'Side text',
        { family: 'cinzel', size: 18, vAlign: 'middle', align: 'center' },
        { rotation: 90 },
      ),
      text(
        [25, 10, 30, 12],
        'Tilted',
        { family: 'lora', size: 20, italic: true },
        { rotation: -15, fill: solid('#fefae0') },
      ),
      text([25, 40, 30, 12], 'Mirror', { family: 'inter', size: 18, weight: 700 }, { flipX: true }),
      shape([30, 60, 22, 14], {
        rotation: 33,
        fill: solid('#606c38'),
        shadows: [shadow(1, 2, 2, '#00000099')],
        radius: [3, 0, 3, 0],
      }),
    ]),
    card('flex', [
      container(
        [4, 4, 55, 14],
        [1, 2, 3].map(() => image([0, 0, 10, 10], { source: 'Icons/drop.png' })),
        { justify: 'end', align: 'center', gap: 2, fill: solid('#edf2f4'), padding: [1, 2, 1, 2] },
      ),
      container(
        [4, 20, 55, 30],
        [10, 14, 9, 20, 12, 17].map((w, index) =>
          shape([0, 0, w, 8], { fill: solid(['#f94144', '#f8961e', '#90be6d'][index % 3] ?? '#000') }),
        ),
        { wrap: true, gap: 1.5 },
      ),
      container(
        [4, 52, 55, 34],
        [
          text(
            [0, 0, 55, 5],
            'A paragraph as tall as it is, and the next follows under it.',
            { size: 8 },
            { autoHeight: true },
          ),
          shape([0, 0, 55, 0.4], { fill: solid('#adb5bd') }),
          text(
            [0, 0, 55, 5],
            'The second one grows to what is left.',
            { size: 8, vAlign: 'bottom' },
            { fill: solid('#e9ecef'), flex: { grow: 1, shrink: 1, absolute: false } },
          ),
          shape([45, 1, 8, 8], {
            shape: 'ellipse',
            fill: solid('#dc2f0280'),
            flex: { grow: 0, shrink: 0, absolute: true },
          }),
        ],
        { direction: 'column', align: 'stretch', gap: 1.5, clip: true },
      ),
    ]),
    card('circle', [shape([10, 10, 69, 69], { shape: 'ellipse', fill: solid('#264653') })], {
      size: presetSize('circle') ?? newLayout('').size,
    }),
    ...effectCards(),
    ...typeCards(),
    ...dataCards(),
    ...boardCards(),
    card('drawings', [
      image([3, 3, 50, 40], { source: 'Icons/badge.svg', fit: 'contain' }),
      image([3, 45, 15, 15], { source: 'Icons/badge.svg', fit: 'cover' }),
      image([20, 45, 30, 15], { source: 'Icons/badge.svg', fit: 'tile', tile: 7 }),
      image([40, 62, 20, 16], { source: 'Icons/badge.svg', opacity: 0.5, rotation: 20 }),
      image([3, 62, 30, 20], { mask: { source: 'Icons/badge.svg', fit: 'stretch', by: 'alpha' } }),
      text([5, 70, 40, 12], 'Pay two {Icons/badge.svg} or {Icons/badge.svg, 2}.'),
    ]),
  ];
}
