import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareBlocks } from '../book/comparison/compare.ts';
import type { Block } from '../book/document/schema.ts';
import { newLayout } from '../scene/new-layout.ts';
import { changeLog } from './change-log.ts';
import { differenceOf } from './difference.ts';
import { excerpts } from './excerpt.ts';
import { nextName } from './next-name.ts';

const COLUMNS = [
  { key: 'name', name: 'Name', type: 'text' },
  { key: 'cost', name: 'Cost', type: 'number' },
  { key: 'art', name: 'Art', type: 'image' },
  { key: 'text', name: 'Text', type: 'text' },
];
const context = [{ path: 'components/c', value: { name: 'Events', order: 0, columns: COLUMNS } }];
const card = (order: number, cells: Record<string, string>, copies = 1, status = 'idea') => ({
  ...{ order, copies, cells, status },
});
const paragraph = (id: string, text: string): Block =>
  ({
    ...{ id, type: 'paragraph', content: [{ type: 'text', text, marks: [] }] },
  }) as unknown as Block;

test('a log for players says what changed on cards and in rules, and nothing else', () => {
  const difference = differenceOf(
    [
      {
        path: 'components/c/cards/1',
        before: card(1, { name: 'Ash', cost: '3', art: 'a.png' }),
        after: card(1, { name: 'Ash', cost: '2', art: 'b.png' }, 2, 'final'),
      },
      { path: 'components/c/cards/2', before: null, after: card(2, { name: 'Ember' }) },
      { path: 'components/c/cards/3', before: card(3, { name: 'Flood' }), after: null },
      { path: 'components/c/cards/4', before: card(4, { name: 'Ebb' }), after: card(9, { name: 'Ebb' }) },
      { path: 'images/i', before: { path: 'fox.png', hash: 'a' }, after: { path: 'fox.png', hash: 'b' } },
      { path: 'printPresets/p', before: null, after: { name: 'Home', settings: {} } },
      { path: 'rulebooks/r/steps/1', before: null, after: { s: '[]' } },
    ],
    [...context, { path: 'rulebooks/r', value: { title: 'Rules of Driftglass' } }],
  );
  const blocks = compareBlocks(
    [paragraph('a', 'Draw two cards.'), paragraph('b', 'Then stop.')],
    [paragraph('a', 'Draw three cards.')],
  );
  expect(changeLog('v0.1 → v0.2', difference, new Map([['r', blocks]]))).toBe(`v0.1 → v0.2

Events
- Ash: Cost 3 → 2
- Ash: another picture
- Ash: copies 1 → 2
- New: Ember
- Gone: Flood

Rules of Driftglass
- “Draw two cards.” → “Draw three cards.”
- Gone: “Then stop.”

The look
- New pictures: fox.png
`);
});

test('a layout is told by its zones', () => {
  const scene = newLayout('Front');
  const difference = differenceOf([
    {
      path: 'layouts/l',
      before: { name: 'Front', scene: scene as never },
      after: { name: 'Front', scene: { ...scene, size: { ...scene.size, w: scene.size.w + 5 } } as never },
    },
  ]);
  expect(difference.layouts[0]?.zones).toMatchObject([{ id: 'base', what: 'changed' }]);
  expect(changeLog('Changes', difference)).toContain('Front looks different.');
});

test('nothing that players see is said to be nothing', () => {
  const difference = differenceOf([{ path: 'printPresets/p', before: null, after: { name: 'Home' } }]);
  expect(changeLog('Changes', difference)).toBe('Changes\n\nNothing that players see.\n');
});

test('an excerpt of long texts shows where they differ', () => {
  const long =
    'When this card is played, each player in turn order from the left draws two cards and keeps one of them, then discards the rest to the pile beside the board.';
  const [was, is] = excerpts(long, long.replace('two', 'three'));
  expect(was).toContain('draws two cards');
  expect(is).toContain('draws three cards');
  expect(was.length).toBeLessThan(80);
  expect(was.startsWith('… ')).toBe(true);
  expect(was.endsWith(' …')).toBe(true);
});

test('excerpts of texts that differ in more than white space differ', () => {
  const words = fc.array(fc.constantFrom('draw', 'two', 'cards', 'and', 'discard', 'them'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(words, words, (a, b) => {
      fc.pre(a.join(' ') !== b.join(' '));
      const [was, is] = excerpts(a.join(' '), b.join(' '));
      // One that is longer than is said may go on like the other.
      if (Math.max(was.length, is.length) <= 240) expect(was).not.toBe(is);
    }),
  );
});

test('the next name follows the newest one that has a number', () => {
  expect(nextName([])).toBe('v0.1');
  expect(nextName(['v0.1'])).toBe('v0.2');
  expect(nextName(['v0.9', 'v0.8'])).toBe('v0.10');
  expect(nextName(['Spring fair', 'v2'])).toBe('v3');
  expect(nextName(['Playtest 07 (Bern)'])).toBe('Playtest 08 (Bern)');
  expect(nextName(['v0.1', 'v0.2'])).toBe('v0.3');
  expect(nextName(['Spring fair'])).toBe('v0.1');
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 8 })), (names) => {
      expect(names.map((name) => name.trim())).not.toContain(nextName(names));
    }),
  );
});
