import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellId } from '../../core/translation/cards/unit-ids.ts';
import type { Entry } from '../../core/translation/translation.ts';
import {
  byPart,
  checkRoom,
  entriesOf,
  formerPartOf,
  MAX_PART_BYTES,
  partOf,
  translationPartSchema,
} from './translation-parts.ts';

const anyUnit = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9_-]{0,12}$/), fc.constantFrom('text', 'title', 'r1c2'))
  .map(([block, part]) => `${block}.${part}`);
const anyEntry: fc.Arbitrary<Entry> = fc.record({
  source: fc.string({ minLength: 1 }),
  text: fc.string({ minLength: 1 }),
});

test('translations divided into parts come together again, and a block is in one part', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyUnit, anyEntry)), (list) => {
      const entries = new Map(list);
      const parts = [...byPart(entries)].map(([part, units]) => {
        expect(part).toMatch(/^[0-9a-f]$/);
        for (const id of units.keys()) expect(partOf(`${id.split('.')[0]}.text`)).toBe(part);
        return translationPartSchema.parse({ units: Object.fromEntries(units) });
      });
      expect(entriesOf(parts)).toEqual(entries);
    }),
  );
});

test('blocks are spread over all parts', () => {
  const parts = new Map<string, number>();
  for (let at = 0; at < 1_600; at++) {
    const part = partOf(`block${at}.text`);
    parts.set(part, (parts.get(part) ?? 0) + 1);
  }
  expect(parts.size).toBe(16);
  for (const count of parts.values()) expect(count).toBeLessThan(200);
});

test('something stored that is not a translation is left out, and the rest stays', () => {
  const units = {
    'a.text': { source: 'Draw', text: 'Zieh' },
    'b.text': 5,
    'c.text': { source: '', text: 'x' },
    'd.text': {},
  };
  expect([
    ...entriesOf([translationPartSchema.parse({ units }), translationPartSchema.parse({ units: 'a' })]),
  ]).toEqual([['a.text', { source: 'Draw', text: 'Zieh' }]]);
});

test('a part that would be larger than a document is refused with its limit', () => {
  const large = { source: 'a', text: '漢'.repeat(12_900) };
  const units = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`b${at}.text`, large]));
  expect(() => checkRoom(units, new Map([['c.text', { source: 'a', text: 'b' }]]))).not.toThrow();
  expect(() => checkRoom(units, new Map([['c.text', large]]))).toThrow(`${MAX_PART_BYTES} can be stored`);
  expect(() =>
    checkRoom(
      units,
      new Map([
        ['c.text', large],
        ['b0.text', null],
      ]),
    ),
  ).not.toThrow();
});

test('the translations of a part that did not change are the same objects at each call', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) =>
    translationPartSchema.parse({ units: { [`${name}.text`]: { source: name, text: name } } }),
  );
  if (!a || !b || !c) throw new Error('There are three.');
  expect(entriesOf([a, b]).get('a.text')).toBe(entriesOf([a, c]).get('a.text'));
});

test('cards of one component are spread over all parts, and the texts of a card stay together', () => {
  const parts = new Map<string, number>();
  for (let at = 0; at < 1_600; at++) {
    const part = partOf(cellId('component', `card${at}`, 'name'));
    expect(partOf(cellId('component', `card${at}`, 'rule'))).toBe(part);
    parts.set(part, (parts.get(part) ?? 0) + 1);
  }
  expect(parts.size).toBe(16);
  for (const count of parts.values()) expect(count).toBeLessThan(200);
});

test('a text that an older version left in another part gives way to its own', () => {
  const id = ['a', 'b', 'c', 'd']
    .map((card) => cellId('component', card, 'name'))
    .find((one) => partOf(one) !== formerPartOf(one));
  if (id === undefined) throw new Error('All of them are where they were.');
  const old = { id: formerPartOf(id), units: { [id]: { source: 'Ash', text: 'Alt' } } };
  const own = { id: partOf(id), units: { [id]: { source: 'Ash', text: 'Neu' } } };
  expect(entriesOf([old]).get(id)?.text).toBe('Alt');
  expect(entriesOf([old, own]).get(id)?.text).toBe('Neu');
  expect(entriesOf([own, old]).get(id)?.text).toBe('Neu');
});
