import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyRulebook } from '../../testing/rulebooks.ts';
import { sampleRulebook } from '../../testing/sample-rulebook.ts';
import { type Block, RULEBOOK_VERSION } from '../document/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../document/walk.ts';
import { BookSearch, MAX_HITS } from './search.ts';

const book = (...texts: string[]) => ({
  version: RULEBOOK_VERSION as 1,
  title: 'T',
  subtitle: '',
  language: 'en-gb',
  blocks: texts.map(
    (text, at): Block => ({ type: 'paragraph', id: `p${at}`, content: [{ type: 'text', text }] }),
  ),
});

test('every word of a rulebook leads to its block', () => {
  fc.assert(
    fc.property(anyRulebook, fc.nat(), (doc, chance) => {
      const search = new BookSearch(doc);
      const words = [...allBlocks(doc.blocks)].flatMap((block) =>
        inlinesOf(block).flatMap((content) =>
          (plainText(content).match(/[\p{L}\p{N}]{2,}/gu) ?? []).map((word) => [word, block.id] as const),
        ),
      );
      const [word, block] = words[chance % Math.max(1, words.length)] ?? ['', ''];
      const hits = search.find(word);
      if (word === '' || hits.length === MAX_HITS) return;
      expect(hits.map((hit) => hit.block)).toContain(block);
      for (const { found } of hits) expect(found.toLowerCase()).toBe(word.toLowerCase());
    }),
  );
});

test('accents and capitals do not matter, the middle of a word does, and all words must be there', () => {
  const search = new BookSearch(book('Der Zöllner prüft den Paß', 'Ein Elixier', 'ﬁnale Prüfung'));
  const blocks = (words: string) => search.find(words).map(({ block }) => block);
  expect(blocks('PRUF')).toEqual(['p0', 'p2']);
  expect(blocks('prüf zoll')).toEqual(['p0']);
  expect(blocks('lixier')).toEqual([]);
  expect(blocks('final')).toEqual(['p2']);
  expect(blocks('. (')).toEqual([]);
  expect(search.find('zollner')[0]).toMatchObject({
    before: 'Der ',
    found: 'Zöllner',
    after: ' prüft den Paß',
  });
});

test('headings and definitions come before what only mentions the word', () => {
  const doc = sampleRulebook();
  const types = new Map([...allBlocks(doc.blocks)].map(({ id, type }) => [id, type]));
  const found = new BookSearch(doc).find('tide').map(({ block }) => types.get(block));
  expect(found.length).toBeGreaterThan(2);
  const ranks = found.map((type) => (type === 'heading' ? 0 : type === 'definition' ? 1 : 2));
  expect(ranks).toEqual([...ranks].sort());
});

test('what a formula came to is found, and a long text is cut between words around what was found', () => {
  const doc = book(`${'before '.repeat(30)}needle ${'after '.repeat(30)}`);
  const [hit] = new BookSearch(doc).find('needle');
  expect(hit?.before).toMatch(/^…(before )+$/);
  expect(hit?.after).toMatch(/^( after)+…$/);
  const value: Block = { type: 'paragraph', id: 'v', content: [{ type: 'value', formula: '[Cards]' }] };
  const counted = new BookSearch({ ...doc, blocks: [value] }, new Map([['[Cards]', '54']]));
  expect(counted.find('54').map(({ block }) => block)).toEqual(['v']);
});
