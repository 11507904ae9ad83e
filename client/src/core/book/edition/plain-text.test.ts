import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleRulebook } from '../../testing/sample-rulebook.ts';
import type { Block, Rulebook } from '../document/schema.ts';
import { allBlocks, inlinesOf } from '../document/walk.ts';
import { writePlainText } from './plain-text.ts';

const book = (...blocks: Block[]): Rulebook => ({
  version: 1,
  title: 'Tides',
  subtitle: '',
  language: 'en-gb',
  blocks,
});
const text = (words: string) => [{ type: 'text' as const, text: words }];

test('blocks are written as one would type them', () => {
  const doc = book(
    { type: 'heading', id: 'h', level: 1, content: text('Set-up') },
    {
      type: 'list',
      id: 'l',
      marker: 'steps',
      items: [
        { id: 'i', blocks: [{ type: 'paragraph', id: 'p', content: text('Shuffle.') }] },
        {
          id: 'j',
          blocks: [
            { type: 'paragraph', id: 'q', content: text('Deal:') },
            {
              type: 'list',
              id: 'm',
              marker: 'bullets',
              items: [{ id: 'k', blocks: [{ type: 'paragraph', id: 'r', content: text('five each') }] }],
            },
          ],
        },
      ],
    },
    {
      type: 'table',
      id: 't',
      caption: [],
      headRows: 1,
      rows: [
        [text('Find'), text('Worth')],
        [text('Cockle'), text('1')],
      ],
    },
    {
      type: 'callout',
      id: 'c',
      kind: 'example',
      title: '',
      blocks: [
        {
          type: 'paragraph',
          id: 's',
          content: [
            ...text('See '),
            { type: 'reference', block: 'h', show: 'page' },
            ...text(': there are '),
            { type: 'value', formula: 'Finds' },
            ...text('.'),
          ],
        },
      ],
    },
    { type: 'live', id: 'v', show: 'components' },
    { type: 'live', id: 'w', show: 'setup' },
  );
  const facts = {
    components: [{ name: 'Finds', count: 30 }],
    values: new Map([['Finds', '30']]),
    setUp: ['30 × Finds', 'Finds discard'],
  };
  expect(writePlainText(doc, facts)).toBe(`TIDES

Set-up
======

1. Shuffle.
2. Deal:
   - five each

Find    Worth
------  -----
Cockle  1

| EXAMPLE
|
| See Set-up: there are 30.

30 × Finds

1. 30 × Finds
2. Finds discard
`);
});

test('a formula without a value is written as the pages show it, for a sentence without its number says something else', () => {
  const content = [...text('Take '), { type: 'value' as const, formula: 'Gulls' }, ...text('.')];
  expect(writePlainText(book({ type: 'paragraph', id: 'p', content }))).toContain('Take {{Gulls}}.');
});

test('long stretches of spaces are written in time that grows with them', () => {
  const block: Block = { type: 'paragraph', id: 'p', content: text(`a${' '.repeat(300_000)}b`) };
  const nested: Block = { type: 'callout', id: 'c', kind: 'example', title: '', blocks: [block] };
  expect(writePlainText(book(nested))).toContain(`| a${' '.repeat(300_000)}b`);
});

test('no word of a rulebook is lost', () => {
  const doc = sampleRulebook();
  const written = writePlainText(doc).replace(/[\s|]+/g, ' ');
  for (const block of allBlocks(doc.blocks)) {
    for (const inline of inlinesOf(block).flat()) {
      if (inline.type === 'text') expect(written).toContain(inline.text.trim().replace(/\s+/g, ' '));
    }
  }
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,20}$/), fc.integer({ min: 1, max: 4 }), (word, level) => {
      const heading = { type: 'heading', id: 'x', level: level as 1, content: text(word) } as const;
      expect(writePlainText(book(heading))).toContain(word);
    }),
  );
});

test('numbers of a column that is aligned to the right stand below each other', () => {
  const table: Block = {
    type: 'table',
    id: 't',
    caption: [],
    headRows: 1,
    align: ['left', 'right'],
    rows: [
      [text('Card'), text('Points')],
      [text('Ebb'), text('12')],
    ],
  };
  expect(writePlainText(book(table), { components: [], values: new Map() })).toContain(
    'Card  Points\n----  ------\nEbb       12',
  );
});
