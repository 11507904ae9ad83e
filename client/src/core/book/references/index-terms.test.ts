import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Block, type NoTerm, parseRulebook, RULEBOOK_VERSION } from '../document/schema.ts';
import { termUses, wordsPattern } from './index-terms.ts';

const bookOf = (blocks: readonly Block[]) =>
  parseRulebook({ version: RULEBOOK_VERSION, title: 'Rules', subtitle: '', language: 'en', blocks });

const content = (text: string) => (text === '' ? [] : [{ type: 'text' as const, text }]);

test('a term is used by the blocks that its pattern fits, in any case and whatever stands around it', () => {
  const piece = fc.constantFrom(
    ...[
      'fire',
      'FIRE',
      'ﬁre',
      'Straße',
      'STRASSE',
      'STRAẞE',
      'ſtone',
      'Stone',
      'Οδός',
      'ΟΔΌΣ',
      'İ',
      'i',
      'ı',
    ],
    ...['K', '\u212a', 'e\u0301', 'é', '+', '-', ' ', '  ', '\u00a0', '1', '२', "'", '.', '日本'],
  );
  const words = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
  const name = words.filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(
      name,
      fc.array(name, { maxLength: 2 }),
      fc.array(words, { maxLength: 6 }),
      (term, variants, texts) => {
        const definition = {
          type: 'definition' as const,
          id: 'd',
          term,
          variants,
          forbidden: [],
          content: [],
        };
        const blocks = texts.map((text, at) => ({
          type: 'paragraph' as const,
          id: `p${at}`,
          content: content(text),
        }));
        const pattern = wordsPattern([term, ...variants]);
        const fitting = blocks.filter((_, at) => pattern?.test(texts[at] ?? '')).map(({ id }) => id);
        expect(termUses(bookOf([definition, ...blocks]))[0]?.blocks).toEqual(fitting);
      },
    ),
    { numRuns: 300 },
  );
});

test('a pattern is tried only in blocks that have its words: however many terms there are', () => {
  const definitions = Array.from({ length: 100 }, (_, at) => ({
    type: 'definition' as const,
    id: `d${at}`,
    term: `term${at} of fire`,
    variants: [],
    forbidden: [],
    content: [],
  }));
  const blocks = Array.from({ length: 100 }, (_, at) => ({
    type: 'paragraph' as const,
    id: `p${at}`,
    content: content(`Of term${at}: fire, fire`),
  }));
  const book = bookOf([...definitions, ...blocks]);
  const tried = vi.spyOn(RegExp.prototype, 'test');
  const uses = termUses(book);
  const times = tried.mock.calls.length;
  tried.mockRestore();
  expect(uses.map(({ blocks }) => blocks)).toEqual(uses.map(() => []));
  expect(times).toBe(100);
});

test('words that are no term at a place are no use of it there, unless the term is linked', () => {
  const definition: Block = {
    type: 'definition',
    id: 'd',
    term: 'Find',
    variants: ['finds'],
    forbidden: [],
    content: [],
  };
  const text = (id: string, words: string): Block => ({ type: 'paragraph', id, content: content(words) });
  const linked: Block = {
    type: 'paragraph',
    id: 'l',
    content: [{ type: 'term', definition: 'd', text: 'find' }],
  };
  const book = bookOf([definition, text('a', 'Take a find.'), text('b', 'You find two finds.'), linked]);
  const uses = (...noTerms: NoTerm[]) => termUses({ ...book, noTerms })[0]?.blocks;
  expect(uses()).toEqual(['a', 'b', 'l']);
  expect(uses({ words: 'FIND', at: 'a' }, { words: 'find', at: 'l' })).toEqual(['b', 'l']);
  expect(uses({ words: 'find', at: 'b' })).toEqual(['a', 'b', 'l']);
  expect(uses({ words: 'find', at: '' })).toEqual(['b', 'l']);
});
