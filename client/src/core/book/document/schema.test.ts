import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyRulebook } from '../../testing/rulebooks.ts';
import { LIMITS } from './limits.ts';
import { parseRulebook, RULEBOOK_VERSION } from './schema.ts';

const doc = (...blocks: unknown[]) => ({
  version: RULEBOOK_VERSION,
  title: 'Ash Field',
  subtitle: '',
  language: 'en-gb',
  blocks,
});
const paragraph = (id: string, text = 'Draw a card.') => ({
  type: 'paragraph',
  id,
  content: [{ type: 'text', text }],
});

describe('a rulebook', () => {
  test('that is valid is read back as it was written', () => {
    fc.assert(
      fc.property(anyRulebook, (made) => {
        expect(parseRulebook(JSON.parse(JSON.stringify(made)))).toEqual(made);
      }),
    );
  });

  test.each([
    ['no object', 7, 'The rulebook: '],
    ['another version', { ...doc(), version: 9 }, 'The rulebook, version: '],
    ['an unknown block', doc({ type: 'video', id: 'v' }), 'The video v, type: '],
    [
      'an unknown field',
      doc({ ...paragraph('p'), colour: 'red' }),
      'The paragraph p: Unrecognized key: "colour"',
    ],
    [
      'a broken inline',
      doc({ ...paragraph('p'), content: [{ type: 'icon' }] }),
      'The paragraph p, content.0.name',
    ],
    ['a bad id', doc(paragraph('a b')), 'is not an id: use letters'],
    ['an id twice', doc(paragraph('p'), paragraph('p')), 'The id p of a paragraph is used twice'],
    [
      'a heading in a callout',
      doc({
        type: 'callout',
        id: 'c',
        kind: 'note',
        title: '',
        blocks: [{ type: 'heading', id: 'h', level: 2, content: [] }],
      }),
      'The heading h cannot stand inside a callout',
    ],
    [
      'a ragged table',
      doc({ type: 'table', id: 't', caption: [], headRows: 0, rows: [[[], []], [[]]] }),
      'Row 2 of the table t has 1 cells and the first row has 2',
    ],
    [
      'a table that is more head than rows',
      doc({ type: 'table', id: 't', caption: [], headRows: 2, rows: [[[]]] }),
      'The table t has 1 rows',
    ],
  ])('with %s is refused in words', (_, value, message) => {
    expect(() => parseRulebook(value)).toThrow(message);
  });

  test('nested without end is refused before it exhausts anything', () => {
    let block: unknown = paragraph('p');
    for (let depth = 0; depth < 50_000; depth++) {
      block = { type: 'callout', id: `c${depth}`, kind: 'note', title: '', blocks: [block] };
    }
    expect(() => parseRulebook(doc(block))).toThrow(`nested more than ${LIMITS.depth} blocks deep`);
  });
});

test('a table has as many alignments as columns', () => {
  const table = (align: string[]) =>
    doc({ type: 'table', id: 't', caption: [], headRows: 0, align, rows: [[[], []]] });
  expect(() => parseRulebook(table(['left', 'right']))).not.toThrow();
  expect(() => parseRulebook(table(['right']))).toThrow('has 2 columns and 1 alignments');
  expect(() => parseRulebook(table(['left', 'justify']))).toThrow();
});
