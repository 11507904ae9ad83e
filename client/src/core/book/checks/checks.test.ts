import { describe, expect, test } from 'vitest';
import { sampleRulebook } from '../../testing/sample-rulebook.ts';
import type { Block } from '../document/schema.ts';
import { EMPTY_PROJECT } from '../typesetting/context.ts';
import { type CardText, type CheckInput, checkRulebook } from './checks.ts';

const doc = sampleRulebook();
const clean: CheckInput = { doc, project: EMPTY_PROJECT, cards: [], flowed: null };
const found = (change: Partial<CheckInput>) =>
  checkRulebook({ ...clean, ...change })
    .filter(({ code }) => code !== 'long-sentence')
    .map(({ code, block }) => `${code} ${block}`);
const withBlock = (...blocks: Block[]) => ({ doc: { ...doc, blocks: [...doc.blocks, ...blocks] } });
const paragraph = (text: string): Block => ({
  type: 'paragraph',
  id: 'new',
  content: [{ type: 'text', text }],
});
const cards = (text: string, icons: string[] = []): CardText[] =>
  [1, 2, 3].map((number) => ({ name: `Card ${number}`, text, icons }));

describe('the checks of a rulebook', () => {
  test('find nothing in the sample, its long sentences apart', () => {
    expect(found({})).toEqual([]);
  });

  test('find a word of the cards that is never defined, unless it is said to be no term', () => {
    expect(found({ cards: cards('Gain one Renown now.') })).toEqual(['term-undefined null']);
    const noTerms = [{ words: 'renown', at: '' }];
    expect(found({ cards: cards('Gain one Renown now.'), doc: { ...doc, noTerms } })).toEqual([]);
    expect(found({ cards: cards('Take one Find now.') })).toEqual([]);
  });

  test('find a definition that nothing uses, and words that stand for a term', () => {
    const unused: Block = {
      type: 'definition',
      id: 'd',
      term: 'Zephyr',
      variants: [],
      forbidden: [],
      content: [],
    };
    expect(found(withBlock(unused))).toEqual(['term-unused d']);
    expect(found(withBlock(paragraph('Take a treasure.')))).toEqual(['forbidden-word new']);
    expect(found({ cards: cards('Shuffle the deck.').slice(0, 1) })).toEqual(['forbidden-word null']);
  });

  test('leave a word alone that is said to be no term there, and find it elsewhere', () => {
    const place = { component: 'c', card: 'k' };
    const input = {
      ...withBlock(paragraph('Take a treasure.'), { ...paragraph('Bury the Treasure.'), id: 'other' }),
      cards: [{ name: 'A', text: 'A treasure of words.', icons: [], place }],
    };
    const said = checkRulebook({ ...clean, ...input }).flatMap(({ noTerm }) => noTerm ?? []);
    expect(said).toEqual([
      { words: 'treasure', at: 'new' },
      { words: 'Treasure', at: 'other' },
      { words: 'treasure', at: 'c/k' },
    ]);
    const without = (at: string) =>
      found({ ...input, doc: { ...input.doc, noTerms: [{ words: 'TREASURE', at }] } });
    expect(without('new')).toEqual(['forbidden-word other', 'forbidden-word null']);
    expect(without('c/k')).toEqual(['forbidden-word new', 'forbidden-word other']);
    expect(without('')).toEqual([]);
  });

  test('find references and terms that lead nowhere', () => {
    const block: Block = {
      type: 'paragraph',
      id: 'new',
      content: [
        { type: 'reference', block: 'gone', show: 'page' },
        { type: 'term', definition: 'lost', text: 'lost' },
      ],
    };
    expect(found(withBlock(block))).toEqual(['dead-reference new', 'dead-reference new']);
  });

  test('find components and icons that the text leaves out, unless a list shows them all', () => {
    const project = { ...EMPTY_PROJECT, components: [{ name: 'Wind vanes', count: 3 }] };
    const bare = { ...doc, blocks: doc.blocks.filter(({ type }) => type !== 'live') };
    expect(found({ project })).toEqual([]);
    expect(found({ doc: bare, project })).toEqual(['component-unmentioned null']);
    expect(found({ cards: cards('', ['energy']) })).toEqual(['icon-unexplained null']);
    expect(
      found({ ...withBlock({ type: 'live', id: 'l', show: 'icons' }), cards: cards('', ['energy']) }),
    ).toEqual([]);
  });

  test('find numbers that disagree with the project, and take no number of a rule for one', () => {
    const project = { ...EMPTY_PROJECT, components: [{ name: 'Cards', count: 52 }] };
    const says = (...blocks: Block[]) => {
      const all = [{ type: 'live' as const, id: 'l', show: 'components' as const }, ...blocks];
      return checkRulebook({ ...clean, doc: { ...doc, blocks: all }, project })
        .filter(({ code }) => code === 'count-differs')
        .map(({ message }) => /says (\d+ \w+)/.exec(message)?.[1]);
    };
    expect(says(paragraph('Shuffle the 54 cards.'))).toEqual(['54 Cards']);
    expect(says(paragraph('This game has 50 cards.'))).toEqual(['50 Cards']);
    expect(says(paragraph('Take 49 cards.'))).toEqual(['49 Cards']);
    for (const right of [
      'All 52 cards.',
      'Draw 2 cards.',
      'Deal 5 cards each.',
      '1.54 cards',
      '40 cardboard chits',
      'Share 5 cards.',
      'This 5 cards thick wall.',
    ]) {
      expect(says(paragraph(right)), right).toEqual([]);
    }
    const heading: Block = {
      type: 'heading',
      id: 'h',
      level: 1,
      content: [{ type: 'text', text: 'Components' }],
    };
    const table: Block = {
      type: 'table',
      id: 't',
      caption: [],
      headRows: 0,
      rows: [[[{ type: 'text', text: '3 ×' }], [{ type: 'text', text: 'Cards' }]]],
    };
    expect(says(heading, table)).toEqual(['3 Cards']);
  });

  test('offer to replace a word that stands for a term, in the text and on the card', () => {
    const place = { component: 'c', card: 'k' };
    const all = checkRulebook({
      ...clean,
      ...withBlock(paragraph('Take a treasure.')),
      cards: [{ name: 'A', text: 'Shuffle the deck.', icons: [], place }],
    }).flatMap(({ replace }) => replace ?? []);
    expect(all).toEqual([
      { words: 'treasure', by: expect.any(String) },
      { words: 'deck', by: expect.any(String), card: place },
    ]);
  });

  test('find a sentence that is too long, with its length', () => {
    const long = `${Array.from({ length: 31 }, () => 'word').join(' ')}.`;
    const all = checkRulebook({ ...clean, ...withBlock(paragraph(long)) });
    expect(all.find(({ block }) => block === 'new')?.message).toContain('31 words');
  });
});
