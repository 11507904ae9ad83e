import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone } from '../../scene/zones.ts';
import type { PrintPart } from '../job/print-job.ts';
import { fileName, safeName, UniqueNames, unknownTokens } from './file-names.ts';
import { type ImageFileSettings, imageEntries, isStatic } from './image-files.ts';

const columns = [
  { key: 'a', name: 'Card ID' },
  { key: 'b', name: 'Name' },
  { key: 'c', name: 'Suit' },
];
const settings: ImageFileSettings = {
  type: 'image/png',
  quality: 90,
  dpi: 300,
  bleed: false,
  cut: true,
  backs: true,
  copies: 'each',
  template: '{{ID}}_{{Name}}_{{copy}}',
  contactSheet: false,
};
const part = (names: readonly string[], copies = 1, back = false): PrintPart => ({
  name: 'Cards',
  layout: newLayout('front'),
  back: back ? newLayout('back') : null,
  columns,
  cards: names.map((name, index) => ({ row: { cells: { a: `c${index}`, b: name } }, copies })),
});

describe('file names', () => {
  test('fit where a name may have 255 bytes, whatever its script', () => {
    for (const letter of ['x', 'ü', '鬼', '👩‍🚀', '𝔘']) {
      const name = safeName(letter.repeat(300));
      expect(new TextEncoder().encode(`${name} (12).contact-sheet.zip`).length).toBeLessThan(255);
      expect(name.length).toBeGreaterThan(60);
      expect(name).not.toMatch(/\p{Surrogate}/u);
    }
  });
  const context = { component: 'Deck', columns, card: 2, copy: 1, count: 87 };
  test.each([
    ['{{ID}}_{{Name}}_{{copy}}', { a: 'x1', b: '**Fire** <br/>Ball' }, 'x1_Fire Ball_1'],
    ['{{number}} {{suit}}', { c: 'Hearts' }, '03 Hearts'],
    ['{{ ID }}', {}, '03'],
    ['{{Name}}', {}, 'Card 3'],
    ['{{Name}}', { b: '../../etc/passwd' }, 'etc passwd'],
    ['{{Name}}', { b: 'CON' }, 'CON_'],
    ['{{Name}}', { b: 'What? "Yes": a|b*' }, 'What Yes a b'],
    ['{{Suit}}', { c: '...' }, '03'],
  ])('%s', (template, cells, name) => {
    expect(fileName(template, { ...context, row: { cells } })).toBe(name);
  });

  test('names are in the printed language, and ids stay', () => {
    const row = { cells: { a: 'x1', b: 'Dog', c: 'Fire' }, words: { a: 'no', b: 'Hund', c: 'Feuer' } };
    const name = fileName('{{ID}} {{Name}} {{Suit}}', { ...context, row });
    expect(name).toBe('x1 Hund Feuer');
  });

  test('whatever a cell says, the name is safe, and no two are alike', () => {
    const names = fc.array(fc.string({ maxLength: 150, unit: 'binary-ascii' }), { maxLength: 6 });
    fc.assert(
      fc.property(names, (texts) => {
        const unique = new UniqueNames();
        const files = texts.map((text) => unique.take(safeName(text) || 'card', '.png'));
        for (const file of files) {
          expect(file).not.toMatch(/[\\/:*?"<>|]|^\.|\s\.png$/);
          expect(file.length).toBeLessThan(140);
        }
        expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
      }),
    );
  });

  test('tokens that mean nothing are named', () => {
    expect(unknownTokens('{{ID}} {{Suit}} {{Rank}}', columns)).toEqual(['Rank']);
  });
});

describe('picture files', () => {
  test('have the size that the resolution makes', () => {
    const [entry] = imageEntries([part(['Fox'])], settings);
    expect(entry).toMatchObject({ name: 'c0_Fox_1.png', painting: { width: 750, height: 1050 } });
    const [bled] = imageEntries([part(['Fox'])], { ...settings, bleed: true });
    expect(bled).toMatchObject({ painting: { width: 825, height: 1125 } });
    const [screen] = imageEntries([part(['Fox'])], { ...settings, dpi: 192 });
    expect(screen).toMatchObject({ painting: { width: 480, height: 672 } });
  });

  test('copies, backs and components have names of their own', () => {
    const parts = [part(['Fox', 'Fox'], 2, true), part(['Owl'])];
    const names = imageEntries(parts, { ...settings, template: '{{Name}}' }).map(({ name }) => name);
    expect(names).toEqual([
      ...['fronts', 'backs'].flatMap((side) =>
        ['Fox', 'Fox (2)', 'Fox (3)', 'Fox (4)'].map((name) => `Cards/${side}/${name}.png`),
      ),
      'Cards (2)/Owl.png',
    ]);
  });

  test('only JPEG is opaque', () => {
    for (const type of ['image/png', 'image/webp', 'image/jpeg'] as const) {
      const [entry] = imageEntries([part(['Fox'])], { ...settings, type });
      expect(entry).toMatchObject({ painting: { background: type === 'image/jpeg' ? '#ffffff' : null } });
    }
  });

  test('too fine a resolution is refused with a way out', () => {
    const large = {
      ...part(['Board']),
      layout: newLayout('x', { preset: 'custom', w: 900, h: 600, shape: 'rect', radius: 0 }),
    };
    const made = (change: Partial<ImageFileSettings>) => () =>
      imageEntries([large], { ...settings, ...change });
    // Larger than a canvas: a PNG is painted in bands, the others end there.
    expect(made({ type: 'image/png', dpi: 600 })).not.toThrow();
    expect(made({ type: 'image/png', dpi: 1_200 })).toThrow(/42520 × 28346 pixels.*or fewer dots per inch/);
    expect(made({ type: 'image/jpeg', dpi: 600 })).toThrow(/JPEG ends at 16384 pixels a side, so choose PNG/);
    expect(made({ type: 'image/webp', dpi: 600 })).toThrow(/WebP ends at 16383 pixels a side, so choose PNG/);
  });

  test('a contact sheet shows every card', () => {
    const sheets = imageEntries([part(Array.from({ length: 31 }, (_, i) => `n${i}`))], {
      ...settings,
      contactSheet: true,
    }).filter(({ name }) => name.startsWith('contact sheet'));
    expect(sheets.map((entry) => (entry.kind === 'painting' ? entry.painting.items.length : 0))).toEqual([
      60, 2,
    ]);
  });
});

test('a layout that asks for no cell looks the same on every card', () => {
  const layout = newLayout('back');
  expect(isStatic(layout)).toBe(true);
  const zone = newZone('text', 't', 'T', { x: 0, y: 0, w: 10, h: 10 });
  zone.text = 'Back';
  layout.zones = [zone];
  expect(isStatic(layout)).toBe(true);
  zone.text = 'Back of {Suit}';
  expect(isStatic(layout)).toBe(false);
  zone.text = '';
  zone.bindings = { text: { mode: 'column', column: 'c' } };
  expect(isStatic(layout)).toBe(false);
});
