import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyRulebook } from '../../testing/rulebooks.ts';
import type { Block } from '../document/schema.ts';
import { allBlocks } from '../document/walk.ts';
import { compareBlocks } from './compare.ts';
import { wordsDiff } from './words-diff.ts';

const side = (list: ReturnType<typeof wordsDiff>, without: 'added' | 'removed'): string =>
  list
    .filter(({ change }) => change !== without)
    .map(({ text }) => text)
    .join('');

test('without what was added a difference is the one text, without what was removed the other', () => {
  const text = fc
    .array(fc.constantFrom('Draw', 'two', 'cards', ' ', ' ', ',', '.', 'é', '牌', '\n'))
    .map((list) => list.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const list = wordsDiff(before, after);
      expect(side(list, 'added')).toBe(before);
      expect(side(list, 'removed')).toBe(after);
      for (const [at, { change }] of list.entries()) expect(change).not.toBe(list[at + 1]?.change);
    }),
    { numRuns: 400 },
  );
});

test('words that stayed are no difference', () => {
  expect(wordsDiff('Draw two cards.', 'Draw three cards at once.')).toEqual([
    { change: 'same', text: 'Draw ' },
    { change: 'removed', text: 'two' },
    { change: 'added', text: 'three' },
    { change: 'same', text: ' cards' },
    { change: 'added', text: ' at once' },
    { change: 'same', text: '.' },
  ]);
});

test('texts of which nothing is left are compared as a whole', () => {
  const [before, after] = ['a', 'b'].map((letter) =>
    Array.from({ length: 900 }, (_, n) => `${letter}${n}`).join(' '),
  );
  const list = wordsDiff(before ?? '', after ?? '');
  expect(side(list, 'added')).toBe(before);
  expect(side(list, 'removed')).toBe(after);
});

test('a text compared with itself has no differences', () => {
  fc.assert(
    fc.property(anyRulebook, ({ blocks }) => {
      expect(compareBlocks(blocks, blocks)).toEqual([]);
    }),
  );
});

test('every block that only one text has is named once, and the others only where they differ', () => {
  fc.assert(
    fc.property(anyRulebook, fc.infiniteStream(fc.nat(5)), ({ blocks }, chance) => {
      const after = blocks.filter(() => chance.next().value !== 0);
      const changes = compareBlocks(blocks, after);
      const ids = (list: readonly Block[]) => [...allBlocks(list)].map(({ id }) => id);
      const left = new Set(ids(after));
      const silent = (type: Block['type']) => type === 'list' || type === 'columns';
      const gone = [...allBlocks(blocks)].filter(({ id, type }) => !left.has(id) && !silent(type));
      expect(changes.map(({ id, change }) => [id, change])).toEqual(gone.map(({ id }) => [id, 'removed']));
      const back = compareBlocks(after, blocks).map(({ id, change }) => [id, change]);
      expect(back).toEqual(gone.map(({ id }) => [id, 'added']));
    }),
  );
});

const paragraph = (id: string, text: string, marks?: 'strong'[]): Block => ({
  type: 'paragraph',
  id,
  content: [{ type: 'text', text, ...(marks && { marks }) }],
});

test('a block that stands elsewhere is moved, one set in bold looks otherwise, and one with other words is changed', () => {
  const before = [
    paragraph('a', 'One'),
    paragraph('b', 'Two'),
    paragraph('c', 'Three'),
    paragraph('d', 'Four'),
  ];
  const after = [
    paragraph('d', 'Four'),
    paragraph('a', 'One', ['strong']),
    paragraph('b', 'Two or more'),
    paragraph('c', 'Three'),
  ];
  expect(compareBlocks(before, after).map(({ id, change }) => `${id} ${change}`)).toEqual([
    'd moved',
    'a look',
    'b changed',
  ]);
});

test('a value that came to something else is a change, though its formula is the same', () => {
  const text: Block[] = [{ type: 'paragraph', id: 'a', content: [{ type: 'value', formula: '[Cards]' }] }];
  const of = (count: string) => new Map([['[Cards]', count]]);
  expect(compareBlocks(text, text, { before: of('54'), after: of('54') })).toEqual([]);
  const words = compareBlocks(text, text, { before: of('54'), after: of('52') })[0]?.words;
  expect(words).toEqual([
    { change: 'removed', text: '54' },
    { change: 'added', text: '52' },
  ]);
});

test('many blocks that say something else throughout share a budget: the last are removed and added as a whole', () => {
  const paragraph = (at: number, word: string): Block => ({
    type: 'paragraph',
    id: `p${at}`,
    content: [{ type: 'text', text: Array.from({ length: 190 }, (_, n) => `${n} ${word}${n}`).join(' ') }],
  });
  const all = (word: string) => Array.from({ length: 400 }, (_, at) => paragraph(at, word));
  const changes = compareBlocks(all('old'), all('new'));
  expect(changes).toHaveLength(400);
  expect(changes[0]?.words.length).toBeGreaterThan(300);
  // Their beginnings and ends are compared all the same.
  expect(changes.at(-1)?.words.map(({ change }) => change)).toEqual(['same', 'removed', 'added']);
});
