import { expect, test } from 'vitest';
import type { Block, Rulebook } from '../document/schema.ts';
import { numberBlocks } from './numbering.ts';

test('a title is one line, with the values and the icons that stand in it', () => {
  const heading: Block = {
    type: 'heading',
    id: 'h',
    level: 1,
    content: [
      { type: 'text', text: 'Deal ' },
      { type: 'value', formula: 'Cards' },
      { type: 'text', text: ' cards' },
      { type: 'break' },
      { type: 'text', text: 'and pay ' },
      { type: 'icon', name: 'coin' },
    ],
  };
  const doc: Rulebook = { version: 1, title: 'Tides', subtitle: '', language: 'en-gb', blocks: [heading] };
  const { headings, places } = numberBlocks(doc, (formula) => (formula === 'Cards' ? '54' : '?'));
  expect(headings.map(({ title }) => title)).toEqual(['Deal 54 cards and pay coin']);
  expect(places.get('h')?.title).toBe('Deal 54 cards and pay coin');
});
