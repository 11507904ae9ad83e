import { newLayout } from '../scene/new-layout.ts';
import { presetSize } from '../scene/sizes.ts';
import type { ZoneOf } from '../scene/zones.ts';
import { card, container, type GalleryCard, image, shape, solid, text } from './gallery-build.ts';

/** Cards for the base, for data from rows, and for every kind of arrangement. */
export function dataCards(): GalleryCard[] {
  return [baseCard(), rowCard(), flowCard()];
}

/** A hexagon that bleeds: colour, an image over it and a rim, all on the base itself. */
function baseCard(): GalleryCard {
  const plain = newLayout('');
  return card('base of a hexagon', [text([12, 30, 40, 12], 'Waypoint', { size: 20, align: 'center' })], {
    size: presetSize('hex') ?? { ...plain.size, preset: 'custom', w: 64, h: 74, shape: 'hex-pointy' },
    bleed: 2,
    base: {
      ...plain.base,
      fill: {
        kind: 'linear',
        angle: 180,
        stops: [
          { at: 0, color: '#fefae0' },
          { at: 1, color: '#606c38' },
        ],
      },
      image: { ...plain.base.image, source: 'Art/dusk.jpg', opacity: 0.45, fit: 'cover', posX: 20 },
      stroke: { color: '#283618', width: 1.2, align: 'inside', dash: [] },
    },
  });
}

/** Columns and formulas for texts, paints, places and images; zones that the row leaves out. */
function rowCard(): GalleryCard {
  const bar = shape([6, 58, 10, 6], { fill: solid('#adb5bd'), radius: [3, 3, 3, 3] });
  const made = card(
    'what the row says',
    [
      { ...shape([0, 0, 63, 16], {}), bindings: { fill: { mode: 'column', column: 'colour' } } },
      {
        ...text([5, 4, 53, 9], 'nothing', { family: 'cinzel', size: 14, color: '#ffffff' }),
        bindings: {
          text: { mode: 'column', column: 'name' },
          'style.size': { mode: 'formula', formula: 'len(name) > 12 ? 11 : 18' },
        },
      },
      {
        ...image([18, 20, 27, 27], { radius: [13.5, 13.5, 13.5, 13.5] }),
        bindings: {
          source: { mode: 'column', column: 'art' },
          rotation: { mode: 'formula', formula: 'power * 3' },
        },
      },
      text([6, 50, 50, 6], 'Power {{power}} of {{max(power, 10)}}, {name}', { size: 9 }),
      bar,
      {
        ...bar,
        id: `${bar.id}-full`,
        bindings: {
          w: { mode: 'formula', formula: 'power * 5' },
          fill: { mode: 'formula', formula: "power > 6 ? '#d62828' : '#2a9d8f'" },
        },
      },
      { ...text([6, 68, 50, 8], '', {}, { fill: solid('#ffb703'), hideIfEmpty: true }) },
      { ...shape([6, 68, 20, 12], { fill: solid('#8338ec') }), visibleIf: 'power >= 7' },
      { ...shape([36, 68, 20, 12], { fill: solid('#3a86ff') }), visibleIf: 'power < 7' },
    ],
    { variables: [{ kind: 'text', name: 'Realm', value: 'the north' }] },
  );
  const cells = { name: 'Warden of {Realm}', colour: '#7b2d26', art: 'Art/dusk.jpg', power: '7' };
  return { ...made, row: { cells } };
}

/** Every way to justify and to align, both ways round. */
function flowCard(): GalleryCard {
  const pieces = () => [4, 7, 5].map((h) => shape([0, 0, 5, h], { fill: solid('#bc6c25') }));
  const justifies = ['start', 'center', 'end', 'space-between', 'space-around', 'space-evenly'] as const;
  const aligns = ['start', 'center', 'end', 'stretch'] as const;
  const directions = ['row', 'row-reverse', 'column', 'column-reverse'] as const;
  const band = (box: readonly [number, number, number, number], change: Partial<ZoneOf<'container'>>) =>
    container(box, pieces(), { fill: solid('#e9edc9'), ...change });
  return card('spread out', [
    ...justifies.map((justify, index) =>
      band([4, 4 + index * 9, 55, 8], { justify, align: aligns[index % aligns.length] ?? 'start' }),
    ),
    ...directions.map((direction, index) =>
      band([4 + index * 14, 60, 13, 24], { direction, gap: 1, align: 'center', justify: 'center' }),
    ),
  ]);
}
