import type { Row } from '../scene/card/row.ts';
import type { Layout } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import { presetSize } from '../scene/sizes.ts';
import { newZone } from '../scene/zones.ts';

/**
 * The reference card of benchmarks: photo behind a framed gradient panel with a soft shadow, art in
 * rounded corners, a tint laid over it by multiplication, a title with a blurred shadow that shrinks
 * to fit, cost icons in a flex row, about sixty justified words with icons, turned text and badges.
 */
export function referenceLayout(): Layout {
  const layout = newLayout('Reference', presetSize('poker-euro'));
  layout.bleed = 3;
  layout.base.image = { ...layout.base.image, source: 'Art/dusk.jpg' };
  const panel = newZone('shape', 'panel', 'Panel', { x: 4, y: 4, w: 55, h: 80 });
  panel.fill = {
    kind: 'linear',
    angle: 180,
    stops: [
      { at: 0, color: '#fdf6e3f2' },
      { at: 1, color: '#eadfc4f2' },
    ],
  };
  panel.stroke = { color: '#6b4f2a', width: 0.6, align: 'inside', dash: [] };
  panel.radius = [3, 3, 3, 3];
  panel.shadows = [{ color: '#00000099', dx: 0, dy: 1, blur: 3, spread: 0 }];
  const art = { ...newZone('image', 'art', 'Art', { x: 8, y: 16, w: 47, h: 26 }), source: 'Art/dusk.jpg' };
  art.radius = [2, 2, 2, 2];
  const tint = newZone('shape', 'tint', 'Tint', { x: 8, y: 16, w: 47, h: 26 });
  Object.assign(tint, {
    fill: { kind: 'solid', color: '#ffcc88' },
    blend: 'multiply',
    opacity: 0.4,
    radius: [2, 2, 2, 2],
  });
  const title = newZone('text', 'title', 'Title', { x: 8, y: 6, w: 33, h: 8 });
  title.bindings = { text: { mode: 'column', column: 'title' } };
  Object.assign(title.style, { family: 'cinzel', weight: 700, size: 16, vAlign: 'middle' });
  title.textShadows = [{ color: '#00000066', dx: 0.2, dy: 0.3, blur: 0.8, spread: 0 }];
  const cost = newZone('container', 'cost', 'Cost', { x: 41, y: 7, w: 14, h: 6 });
  Object.assign(cost, { justify: 'end', align: 'center', gap: 0.6 });
  cost.children = [1, 2, 3].map((number) => {
    const icon = newZone('image', `cost${number}`, 'Icon', { x: 0, y: 0, w: 4.2, h: 4.2 });
    icon.bindings = { source: { mode: 'column', column: `cost${number}` } };
    return { ...icon, hideIfEmpty: true };
  });
  const rules = newZone('text', 'rules', 'Rules', { x: 8, y: 44, w: 47, h: 34 });
  rules.bindings = { text: { mode: 'column', column: 'rules' } };
  Object.assign(rules.style, { size: 9.5, align: 'justify', vAlign: 'middle' });
  const side = newZone('text', 'side', 'Side', { x: -9.5, y: 44, w: 30, h: 3 });
  Object.assign(side, { text: 'Tuckbox reference', rotation: -90 });
  Object.assign(side.style, { family: 'oswald', size: 5, align: 'center' });
  const badges = [0, 1].map((index) => {
    const badge = newZone('text', `badge${index}`, 'Badge', { x: 9 + 36 * index, y: 76, w: 9, h: 9 });
    badge.bindings = { text: { mode: 'column', column: `value${index}` } };
    Object.assign(badge, {
      rotation: index === 0 ? -8 : 8,
      fill: { kind: 'solid', color: '#8c2f39' },
      radius: [4.5, 4.5, 4.5, 4.5],
    });
    Object.assign(badge.style, {
      family: 'bebas-neue',
      size: 16,
      color: '#ffffff',
      align: 'center',
      vAlign: 'middle',
    });
    badge.style.outline = { color: '#2b0a0f', width: 0.3 };
    return badge;
  });
  layout.zones = [panel, art, tint, title, cost, rules, side, ...badges];
  return layout;
}

const WORDS =
  'When the *ember tide* rises, each player may discard {Icons/drop.png,0.9} to draw two cards. **Guard:** until your next turn, prevent the first wound dealt to any ally beside this unit. If you hold the crown, gain {Icons/drop.png,0.9} {Icons/drop.png,0.9} instead and *exhaust* one rival. **Legacy** cards leave play when the last torch goes out; return them to the vault {Icons/drop.png,0.9} at dusk.'.split(
    ' ',
  );
const NAMES = [
  'Ember Warden',
  'The Long Watch',
  'Tidecaller',
  'Keeper of the Ninefold Lantern',
  'Ash',
  'Mountain Pass',
];

/** Rows that differ in length, names and costs. */
export function referenceRows(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => {
    const icons = [1, 2, 3].map(
      (number) => [`cost${number}`, number <= 1 + (index % 3) ? 'Icons/drop.png' : ''] as const,
    );
    const start = index % 7;
    return {
      cells: {
        title: NAMES[index % NAMES.length] ?? '',
        rules: [...WORDS.slice(0, WORDS.length - start), `(${index + 1})`].join(' '),
        value0: String(index % 10),
        value1: String((index * 7) % 10),
        ...Object.fromEntries(icons),
      },
    };
  });
}
