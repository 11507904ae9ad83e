import { expect, test } from 'vitest';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import { newZone } from '../../../../../core/scene/zones.ts';
import type { CardSet } from '../../../../../core/translation/cards/card-units.ts';
import { cellId, zoneId } from '../../../../../core/translation/cards/unit-ids.ts';
import { cardLanguage } from '../../../../../data/translations/card-language.ts';
import { isWords, readWords, splitEdits, withoutWords, withWordsColumns, wordsKey } from './table-words.ts';

const zone = (id: string, text: string) => ({
  ...newZone('text', id, id, { x: 0, y: 0, w: 10, h: 5 }),
  text,
});
const LAYOUT = {
  ...newLayout('L'),
  zones: [zone('a', '{Name}'), zone('b', '{Rule}'), zone('c', 'Own words')],
};
const COLUMNS = [
  { key: 'name', name: 'Name', type: 'text' as const },
  { key: 'rule', name: 'Rule', type: 'text' as const, width: 300, frozen: true },
  { key: 'cost', name: 'Cost', type: 'number' as const },
];
const SET: CardSet = {
  id: 'deck',
  name: 'Deck',
  columns: COLUMNS,
  cards: [
    { id: 'a', cells: { name: 'Ash', rule: 'Pay {Cost}.', cost: '1' } },
    { id: 'b', cells: { name: 'Sea', rule: '', cost: '2' } },
  ],
  layouts: [{ id: 'front', name: 'Front', layout: LAYOUT }],
};
const german = cardLanguage(
  'de',
  [SET],
  new Map([
    [cellId('deck', 'a', 'name'), { source: 'Ashes', text: 'Asche' }],
    [cellId('deck', 'a', 'rule'), { source: 'Pay {Cost}.', text: 'Zahl.' }],
    [zoneId('front', 'c'), { source: 'Own words', text: 'Eigene Worte' }],
  ]),
);
const read = (drafts = new Map()) =>
  readWords(german, 'deck', drafts, [{ id: 'front', scene: LAYOUT }], 'front');

test('cells say what is stale, missing and lost, and a cell without words has no state', () => {
  const words = read();
  expect(words.cellOf('a', 'name')).toEqual({
    text: 'Asche',
    source: 'Ash',
    state: 'stale',
    note: 'It was made from “Ashes”.',
  });
  expect(words.cellOf('a', 'rule')).toMatchObject({ text: 'Zahl.', state: 'lost' });
  expect(words.cellOf('a', 'rule')?.note).toContain('{Cost}');
  expect(words.cellOf('b', 'name')).toEqual({ text: '', source: 'Sea', state: 'missing', note: undefined });
  expect(words.cellOf('b', 'rule')).toBeUndefined();
  expect(words.cellOf('a', 'cost')).toBeUndefined();
});

test('what is typed is shown until it is stored, with the reason if it cannot be', () => {
  const id = cellId('deck', 'b', 'name');
  const typed = read(new Map([[id, { text: 'Mee', problem: 'Too short.' }]]));
  expect(typed.cellOf('b', 'name')).toEqual({
    text: 'Mee',
    source: 'Sea',
    state: 'unsaved',
    note: 'Too short.',
  });
  const stored = read(new Map([[id, { text: 'Meer', stored: { before: undefined } }]]));
  expect(stored.cellOf('b', 'name')).toEqual({ text: 'Meer', source: 'Sea', state: 'done', note: undefined });
});

test('cards are painted with the words that are printed, the same objects each time', () => {
  const words = read();
  expect(words.wordsOf('a')).toEqual({ name: 'Asche' });
  expect(words.wordsOf('a')).toBe(words.wordsOf('a'));
  expect(words.wordsOf('b')).toBeUndefined();
  expect(JSON.stringify(words.layoutOf(LAYOUT))).toContain('Eigene Worte');
  expect(words.layoutOf(LAYOUT)).toBe(words.layoutOf(LAYOUT));
  // A layout whose texts were fitted is the component's own.
  expect(JSON.stringify(words.layoutOf({ ...LAYOUT }))).toContain('Eigene Worte');
});

test('columns of a language stand beside their source or in its place, and nobody takes them for cells', () => {
  const words = { ...read(), language: 'de', instead: false };
  const keys = (instead: boolean) =>
    withWordsColumns(COLUMNS, { ...words, instead }, () => 'German').map(({ key }) => key);
  expect(keys(false)).toEqual(['name', wordsKey('name'), 'rule', wordsKey('rule'), 'cost']);
  expect(keys(true)).toEqual([wordsKey('name'), wordsKey('rule'), 'cost']);
  expect(withWordsColumns(COLUMNS, words, () => 'German')[3]).toEqual({
    key: wordsKey('rule'),
    name: 'Rule, German',
    type: 'text',
    width: 300,
    frozen: true,
  });
  expect(withWordsColumns(COLUMNS, undefined, String)).toEqual(COLUMNS);
  const edits = [
    { id: 'a', key: 'name', text: 'Ash' },
    { id: 'a', key: wordsKey('name'), text: 'Asche' },
  ];
  expect(splitEdits(edits)).toEqual({
    cells: [edits[0]],
    words: [{ id: 'a', key: 'name', text: 'Asche' }],
  });
  expect(isWords('name')).toBe(false);
  expect(withoutWords({ name: 'Ash', [wordsKey('name')]: 'Asche' })).toEqual({ name: 'Ash' });
});
