import { expect, test } from 'vitest';
import { mergeLayouts } from '../changes/merge.ts';
import type { Layout } from '../layout.ts';
import { newLayout } from '../new-layout.ts';
import { newZone, type Zone } from '../zones.ts';
import { isSetIn } from './used-fonts.ts';

type TextZone = Extract<Zone, { kind: 'text' }>;

const RUNES = { family: 'own-runes', name: 'Old Runes', url: '/v0/b/x/o/f', weight: 400, italic: false };

function text(change: (zone: TextZone) => void): TextZone {
  const zone = newZone('text', 'title', 'Title', { x: 0, y: 0, w: 30, h: 10 }) as TextZone;
  change(zone);
  return zone;
}
const of = (zone: TextZone, more: Partial<Layout> = {}): Layout => ({
  ...newLayout('Old Runes'),
  fonts: [RUNES],
  zones: [zone],
  ...more,
});
const plain = text(() => {});
const inRunes = text(({ style }) => {
  style.family = 'own-runes';
});
const formula = (formula: string) =>
  text(({ bindings }) => {
    bindings['style.family'] = { mode: 'formula', formula };
  });

test('a family is used by zones, styles, formulas and the sample card that name it', () => {
  const frame = { ...newZone('container', 'g', 'Frame', { x: 0, y: 0, w: 30, h: 10 }), children: [inRunes] };
  const style = { kind: 'style' as const, name: 'rune', style: { family: 'old runes' } };
  const used: Layout[] = [
    of(inRunes),
    { ...of(plain), zones: [frame as never] },
    of(plain, { variables: [style] }),
    of(formula("if(rank > 3, 'Old Runes', 'inter')")),
    of(plain, { sample: { 'Title style': '{font: old runes}' } }),
  ];
  for (const layout of used) expect(isSetIn(layout, RUNES), JSON.stringify(layout)).toBe(true);
  const unused: Layout[] = [
    // Neither its own list nor texts that are only called like it count.
    of(plain),
    of(
      text((zone) => {
        zone.text = 'Old Runes';
      }),
    ),
    of(formula("'inter'")),
    of(plain, { sample: { 'Old Runes': 'three' } }),
  ];
  for (const layout of unused) expect(isSetIn(layout, RUNES), JSON.stringify(layout)).toBe(false);
});

test('a family that one side took off its list stays while the other sets a text in it', () => {
  const base = of(plain);
  const { fonts: _, ...without } = base;
  for (const prefer of ['mine', 'theirs'] as const) {
    expect(mergeLayouts(base, of(inRunes), { ...without, bleed: 1 }, prefer).fonts).toEqual([RUNES]);
    expect(mergeLayouts(base, { ...without, bleed: 1 }, of(inRunes), prefer).fonts).toEqual([RUNES]);
    // Nothing is set in it: it goes.
    expect(mergeLayouts(base, { ...base, safe: 2 }, { ...without, bleed: 1 }, prefer).fonts).toBeUndefined();
  }
  // Undo gives a text its family back after the list was cleared.
  const cleared = { ...without, bleed: 1 };
  expect(mergeLayouts(base, of(inRunes), cleared, 'theirs').fonts).toEqual([RUNES]);
});
