import { expect, test } from 'vitest';
import { resolveTree } from '../../layout/resolve-tree.ts';
import { resolve } from '../../scene/card/resolve.ts';
import type { Row } from '../../scene/card/row.ts';
import { newLayout } from '../../scene/new-layout.ts';
import type { TextZone } from '../../scene/zones/text.ts';
import { newZone, type Zone } from '../../scene/zones.ts';
import { translatedColumns } from './card-units.ts';
import { layoutInLanguage, namesLanguage, rowInLanguage, rowWithLanguages } from './in-language.ts';
import { cellId, zoneId } from './unit-ids.ts';

const COLUMNS = [
  { key: 'n', name: 'Name' },
  { key: 'k', name: 'Kind' },
];
const TEXTS = new Map([
  [cellId('c', 'a', 'n'), 'Asche'],
  [zoneId('l', 'words'), 'Gehört {Name}'],
]);
const row = rowInLanguage<Row>(
  { cells: { n: 'Ash', k: 'Unit' } },
  { component: 'c', card: 'a', columns: ['n', 'k'] },
  TEXTS,
);
const zone = (id: string, fields: Partial<TextZone>): TextZone => ({
  ...newZone('text', id, id, { x: 0, y: 0, w: 10, h: 5 }),
  ...fields,
});
const shown = (fields: Partial<TextZone>) => resolve(zone('z', fields), row, COLUMNS).zone.text;

test('texts show the translation, and formulas go on seeing the source', () => {
  expect(shown({ bindings: { text: { mode: 'column', column: 'Name' } } })).toBe('Asche');
  expect(shown({ text: '{{Name}}: {{ kind }}' })).toBe('Asche: Unit');
  expect(shown({ text: '{{upper(Name)}}' })).toBe('ASH');
  expect(shown({ text: '{{if(Name == "Ash", "yes", "no")}}' })).toBe('yes');
  expect(row.cells).toEqual({ n: 'Ash', k: 'Unit' });
});

test('a row without a translation is the row itself', () => {
  const other: Row = { cells: { n: 'Sea' } };
  expect(rowInLanguage(other, { component: 'c', card: 'b', columns: ['n'] }, TEXTS)).toBe(other);
});

test('the words of a layout are translated wherever they stand, and hyphenated by the language', () => {
  const style = { ...zone('x', {}).style, hyphenate: 'en-us' };
  const group = newZone('container', 'group', 'Group', { x: 0, y: 0, w: 10, h: 5 });
  const layout = {
    ...newLayout('L'),
    zones: [
      { ...group, children: [zone('words', { text: 'Belongs to {Name}', style })] },
      zone('bound', { text: 'Words', bindings: { text: { mode: 'column', column: 'Name' } } }),
    ],
  };
  const other = layoutInLanguage('l', layout as ReturnType<typeof newLayout>, TEXTS, 'de');
  expect(other.zones[0]).toMatchObject({
    children: [{ text: 'Gehört {Name}', style: { hyphenate: 'de-1996' } }],
  });
  expect(other.zones[1]).toBe(layout.zones[1]);
  const french = layoutInLanguage('l', layout as ReturnType<typeof newLayout>, new Map(), 'fr');
  expect(french.zones[0]).toMatchObject({
    children: [{ text: 'Belongs to {Name}', style: { hyphenate: 'fr' } }],
  });
});

test('a formula that names a language shows it beside the printed one, in a repetition too', () => {
  const place = { component: 'c', card: 'a', columns: ['n', 'k'] };
  const french = new Map([[cellId('c', 'a', 'n'), 'Cendre']]);
  const all = new Map([
    ['de', TEXTS],
    ['fr', french],
    ['pt-br', new Map<string, string>()],
  ]);
  const spoken = rowWithLanguages(row, place, 'en', all);
  const say = (text: string, of: Row = spoken) => resolve(zone('z', { text }), of, COLUMNS);
  expect(say('{{Name}} / {{lang("fr").Name}} / {{lang("en").[name]}}').zone.text).toBe(
    'Asche / Cendre / Ash',
  );
  expect(say("{{upper(lang('fr').n)}}").zone.text).toBe('CENDRE');
  // Cells without a translation are printed in their own words.
  expect(say('{{lang("pt_BR").Name}} {{lang("fr").Kind}}').zone.text).toBe('Ash Unit');
  const [missing] = say('{{lang("xx").Name}}').issues;
  expect(missing?.message).toContain(
    'The cards are not translated into «xx». Their languages: de, en, fr, pt-br.',
  );
  expect(say('{{lang("fr").Nome}}').issues[0]?.message).toContain('There is no column «Nome».');
  expect(say('{{lang(Name)}}').issues[0]?.message).toContain('lang is written lang("de").Name.');
  // A card whose languages are not loaded shows its own words.
  expect(say('{{lang("fr").Name}}', { cells: { n: 'Ash', k: 'Unit' } }).zone.text).toBe('Ash');

  const repeated = {
    ...newZone('iterator', 'i', 'I', { x: 0, y: 0, w: 10, h: 5 }),
    list: 'split("a,b", ",")',
    children: [zone('t', { text: '{{item}} {{lang("fr").Name}}' })],
  };
  const tree = resolveTree([repeated as Zone], spoken, COLUMNS, []);
  expect(JSON.stringify(tree)).toContain('b Cendre');
});

test('layouts that name a language have its columns translated', () => {
  const layout = { ...newLayout('L'), zones: [zone('t', { text: '{{ lang("fr").[Long text] }}' })] };
  expect(namesLanguage(layout)).toBe(true);
  expect(namesLanguage({ ...layout, zones: [zone('t', { text: 'Slang (of old)' })] })).toBe(false);
  const columns = [
    { key: 'l', name: 'Long text', type: 'text' },
    { key: 'o', name: 'Other', type: 'text' },
  ];
  const found = translatedColumns({ columns, layouts: [{ id: 'l', name: 'L', layout }] });
  expect(found.map(({ key }) => key)).toEqual(['l']);
});

test('a language from right to left has its texts at the other side, and says which forms of characters it has', () => {
  const at = (align: TextZone['style']['align']) =>
    zone(align, { text: 'Words', style: { ...zone('x', {}).style, align } });
  const layout = { ...newLayout('L'), zones: [at('left'), at('center'), at('right'), at('justify')] };
  const alignedIn = (language: string) =>
    layoutInLanguage('l', layout, new Map(), language).zones.map((one) => (one as TextZone).style.align);
  expect(alignedIn('ar')).toEqual(['start', 'center', 'end', 'justify']);
  expect(alignedIn('az-Arab')).toEqual(['start', 'center', 'end', 'justify']);
  expect(alignedIn('ja')).toEqual(['left', 'center', 'right', 'justify']);
  expect(layoutInLanguage('l', layout, new Map(), 'ja').language).toBe('ja');
  // A text without a translation, and without a change, is the stored one.
  expect(layoutInLanguage('l', layout, new Map(), 'de').zones[0]).toBe(layout.zones[0]);
});
