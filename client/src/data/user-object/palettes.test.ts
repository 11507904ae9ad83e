import { expect, test } from 'vitest';
import { MAX_COLOURS, MAX_PALETTES, offeredColours, withPalette } from './palettes.ts';

const stored = { globalPalettes: [{ name: 'Mine', paletteArray: ['#111'] }], globalPaletteIndex: 0 };

test('a palette comes to the others and is chosen', () => {
  expect(withPalette(stored, ' Harbour ', ['#a00', '#0a0', '#a00'])).toEqual({
    globalPalettes: [...stored.globalPalettes, { name: 'Harbour', paletteArray: ['#a00', '#0a0'] }],
    globalPaletteIndex: 1,
  });
});

test('the same palette is chosen, not made twice', () => {
  const once = withPalette(stored, 'Harbour', ['#a00']);
  expect(withPalette({ ...once, globalPaletteIndex: 0 }, 'Harbour', ['#a00'])).toEqual(once);
});

test('no more palettes and colours than there may be', () => {
  const globalPalettes = Array.from({ length: MAX_PALETTES }, (_, n) => ({ name: `${n}`, paletteArray: [] }));
  const full = withPalette({ globalPalettes, globalPaletteIndex: 3 }, 'One more', ['#a00']);
  expect(full.globalPalettes).toHaveLength(MAX_PALETTES);
  expect(full.globalPalettes[3]).toEqual({ name: '3', paletteArray: ['#a00'] });
  const colours = Array.from({ length: MAX_COLOURS + 6 }, (_, n) => `rgb(0, 0, ${n})`);
  expect(withPalette(stored, 'Long', colours).globalPalettes[1]?.paletteArray).toEqual(colours.slice(6));
});

test('colour fields offer the chosen palette, and all others after it when all are shown', () => {
  const globalPalettes = [
    { name: 'Sea', paletteArray: ['#111', '#222'] },
    { name: 'Sand', paletteArray: ['#222', '#333'] },
  ];
  const object = { globalPalettes, globalPaletteIndex: 1, globalPalettesExpanded: false };
  expect(offeredColours(object)).toEqual(['#222', '#333']);
  expect(offeredColours({ ...object, globalPalettesExpanded: true })).toEqual(['#222', '#333', '#111']);
});
