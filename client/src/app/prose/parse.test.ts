import { expect, it } from 'vitest';
import { countWords, parseInline, parseProse, slugOf } from './parse.ts';

it('reads the marks inside a line', () => {
  expect(parseInline('a **b** *c* `d` [e](/f) g')).toEqual([
    { kind: 'text', text: 'a ' },
    { kind: 'strong', text: 'b' },
    { kind: 'text', text: ' ' },
    { kind: 'emphasis', text: 'c' },
    { kind: 'text', text: ' ' },
    { kind: 'code', text: 'd' },
    { kind: 'text', text: ' ' },
    { kind: 'link', text: 'e', to: '/f' },
    { kind: 'text', text: ' g' },
  ]);
});

it('reads blocks', () => {
  const blocks = parseProse(`
## Cut & glue

One line
and the next.

- a
- b
  goes on

4. fourth

> Mind the blade.

| A | B |
| 1 | 2 |

{figure:bleed}
`);
  expect(blocks.map(({ kind }) => kind)).toEqual([
    'heading',
    'paragraph',
    'list',
    'list',
    'remark',
    'table',
    'figure',
  ]);
  expect(blocks[0]).toMatchObject({ level: 2, id: 'cut-glue' });
  expect(blocks[1]).toMatchObject({ content: [{ text: 'One line and the next.' }] });
  expect(blocks[2]).toMatchObject({ ordered: false, items: [[{ text: 'a' }], [{ text: 'b goes on' }]] });
  expect(blocks[3]).toMatchObject({ ordered: true, start: 4 });
  expect(blocks[6]).toEqual({ kind: 'figure', name: 'bleed' });
});

it('counts words, not marks', () => {
  expect(countWords('## One two\n\n- three **four**\n\n{figure:x}\n\n| five | – |')).toBe(5);
  expect(slugOf('Crop marks, “cut here”')).toBe('crop-marks-cut-here');
});
