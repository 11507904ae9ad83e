import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allBlocks, inlinesOf, plainText } from '../document/walk.ts';
import { stepsOf } from '../prose/steps.ts';
import { blocksOfRows, suggestedColumns } from './from-rows.ts';

const columns = [
  { key: 'n', name: 'Name', type: 'text' },
  { key: 't', name: 'Text', type: 'text' },
  { key: 'p', name: 'Picture', type: 'image' },
  { key: 'c', name: 'Cost', type: 'number' },
];
const row = (n: string, t: string, p = '', c = '') => ({ cells: { n, t, p, c } });

test('rows are sections in their order, with the markup of cards', () => {
  const rows = [
    row('**Set-up**', 'Take {Cost} {Coin}.\nThen *wait*.\n\n- one\n- {b:two}\nEnd.', 'table.png', '3'),
    row('', ''),
    row('Scoring', 'First / second'),
  ];
  const blocks = blocksOfRows(rows, columns, { heading: 'n', level: 2, texts: ['t', 'p'] });
  const text = (words: string) => ({ type: 'text', text: words });
  const content = (...inlines: unknown[]) => expect.objectContaining({ content: inlines });
  expect(blocks).toEqual([
    expect.objectContaining({ type: 'heading', level: 2, content: [text('Set-up')] }),
    content(
      text('Take 3 '),
      { type: 'icon', name: 'Coin' },
      text('.'),
      { type: 'break' },
      text('Then '),
      { type: 'text', text: 'wait', marks: ['emphasis'] },
      text('.'),
    ),
    expect.objectContaining({
      type: 'list',
      marker: 'bullets',
      items: [
        expect.objectContaining({ blocks: [content(text('one'))] }),
        expect.objectContaining({ blocks: [content(text('two'))] }),
      ],
    }),
    content(text('End.')),
    expect.objectContaining({ type: 'figure', source: 'table.png', alt: 'Set-up' }),
    expect.objectContaining({ type: 'heading', content: [text('Scoring')] }),
    content(text('First')),
    content(text('second')),
  ]);
});

test('columns are suggested by their names, else the first for headings and the next for text', () => {
  expect(suggestedColumns(columns)).toEqual({ heading: 'n', level: 1, texts: ['t'] });
  const unknown = ['Eins', 'Zwei', 'Drei'].map((name) => ({ key: name, name, type: 'text' }));
  expect(suggestedColumns(unknown)).toEqual({ heading: 'Eins', level: 1, texts: ['Zwei'] });
  expect(suggestedColumns([{ key: 'x', name: 'Text', type: 'text' }])).toEqual({
    heading: '',
    level: 1,
    texts: ['x'],
  });
});

test('whatever cells hold, they make a rulebook that can be stored, and no word is lost', () => {
  const cell = fc
    .array(
      fc.constantFrom(
        'sea',
        ' ',
        '\n',
        '\n\n',
        '- ',
        '* ',
        '*',
        '**',
        '{Cost}',
        '{i:tide}',
        '<br>',
        '#',
        '1. ',
        '\\',
        '[',
      ),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 6 }), (cells) => {
      const rows = cells.map(([n, t]) => row(n, t));
      const blocks = blocksOfRows(rows, columns, { heading: 'n', level: 1, texts: ['t'] });
      if (blocks.length > 0) stepsOf(blocks);
      const text = [...allBlocks(blocks)].flatMap((block) => inlinesOf(block).map(plainText)).join(' ');
      const count = (words: string, of: RegExp) => words.match(of)?.length ?? 0;
      const given = cells.flat().join('\n');
      for (const word of [/sea/g, /tide/g]) expect(count(text, word)).toBe(count(given, word));
    }),
  );
});
