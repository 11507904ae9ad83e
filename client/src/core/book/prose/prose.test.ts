import fc from 'fast-check';
import { EditorState } from 'prosemirror-state';
import { expect, test } from 'vitest';
import { randomDoc } from '../../testing/random-prose.ts';
import { sampleRulebook } from '../../testing/sample-rulebook.ts';
import { type Block, parseRulebook } from '../document/schema.ts';
import { blocksOfProse, noTermsOfProse, toProse, toRulebook } from './convert.ts';
import { NoTermStep } from './no-term-step.ts';
import { restored } from './restore.ts';
import { applyStep, checkDoc, emptyDoc, readStep, replay, stepsOf, writeSteps } from './steps.ts';
import { readVersion, writeVersion } from './versions.ts';

const HEAD = { title: 'Rules', subtitle: '', language: 'en-gb' };

test('whatever the editor’s schema admits is a rulebook, and comes back from it as it was', () => {
  fc.assert(
    fc.property(randomDoc(), (doc) => {
      checkDoc(doc);
      const book = toRulebook(doc, HEAD);
      const read = parseRulebook(JSON.parse(JSON.stringify(book)));
      const again = toProse(read.blocks);
      checkDoc(again);
      expect(blocksOfProse(again)).toEqual(book.blocks);
    }),
    { numRuns: 200 },
  );
});

test('the sample rulebook goes through the editor unchanged but for the widths of its tables', () => {
  const plain = (blocks: readonly Block[]) =>
    JSON.parse(JSON.stringify(blocks), (key, value) => (key === 'widths' ? undefined : value));
  const { blocks } = sampleRulebook();
  expect(plain(blocksOfProse(toProse(blocks)))).toEqual(plain(blocks));
});

test('steps make of an empty document what they were made from', () => {
  const { blocks } = sampleRulebook();
  const many = Array.from({ length: 30 }, (_, copy) =>
    blocks.map((block) => ({ ...block, id: `${block.id}-${copy}` })),
  )
    .flat()
    .filter(({ type }) => type === 'paragraph' || type === 'heading');
  const steps = stepsOf(many);
  expect(replay(steps).skipped.size).toBe(0);
  expect(blocksOfProse(replay(steps).doc)).toEqual(blocksOfProse(toProse(many)));
});

test('words that are no terms come with the blocks, are kept in versions, and are brought back by them', () => {
  const noTerms = [
    { words: 'deck', at: '' },
    { words: 'find', at: 'c' },
  ];
  const { blocks } = sampleRulebook();
  const { doc, skipped } = replay(stepsOf(blocks, noTerms));
  expect(skipped.size).toBe(0);
  expect(toRulebook(doc, HEAD).noTerms).toEqual(noTerms);
  expect(parseRulebook(toRulebook(doc, HEAD)).noTerms).toEqual(noTerms);
  expect(toRulebook(toProse(blocks), HEAD)).not.toHaveProperty('noTerms');
  const kept = readVersion(writeVersion(doc));
  expect(noTermsOfProse(kept)).toEqual(noTerms);
  const later = EditorState.create({ doc: replay(stepsOf(blocks)).doc });
  const back = restored(later, kept);
  expect(back?.doc.eq(kept)).toBe(true);
});

test.each([
  ['what is no JSON', '{'],
  ['a list of words of another kind', '[{"stepType":"docAttr","attr":"noTerms","value":[{"words":1}]}]'],
  ['a word of another kind', '[{"stepType":"noTerm","one":{"words":1,"at":""},"says":true}]'],
  ['a term that is taken back twice', '[{"stepType":"noTerm","one":{"words":"a","at":""},"says":false}]'],
  ['an unknown change', '[{"stepType":"explode"}]'],
  [
    'a block that there is not',
    '[{"stepType":"replace","from":0,"to":2,"slice":{"content":[{"type":"script"}]}}]',
  ],
  ['a place beyond the end', '[{"stepType":"replace","from":90,"to":91}]'],
  ['a document without blocks', '[{"stepType":"replace","from":0,"to":2}]'],
  [
    'an attribute of another kind',
    '[{"stepType":"replace","from":0,"to":2,"slice":{"content":[{"type":"heading","attrs":{"id":"a","level":9}}]}}]',
  ],
  ['an attribute changed to another kind', '[{"stepType":"attr","pos":0,"attr":"id","value":{"a":1}}]'],
  [
    'rows of different lengths',
    '[{"stepType":"replace","from":0,"to":2,"slice":{"content":[{"type":"tableBlock","attrs":{"id":"t","headRows":1},"content":[{"type":"caption"},{"type":"table","content":[{"type":"tableRow","content":[{"type":"tableCell"}]},{"type":"tableRow","content":[{"type":"tableCell"},{"type":"tableCell"}]}]}]}]}}]',
  ],
])('%s is refused and changes nothing', (_, text) => {
  const result = applyStep(emptyDoc(), text);
  expect(result).toEqual({ message: expect.stringMatching(/./) });
  expect(replay([text]).doc.eq(emptyDoc())).toBe(true);
});

test('a word that is no term is a stored step of its own, which windows that cannot read it skip', () => {
  const { tr } = EditorState.create({ doc: emptyDoc() });
  const word = (words: string) => new NoTermStep({ words, at: '' }, true);
  tr.insertText('Find', 1).step(word('find')).step(word('deck')).insertText('!', 5);
  const stored: string[] = [];
  for (let rest = tr.steps; rest.length > 0; rest = rest.slice(readStep(stored.at(-1) ?? '').length)) {
    stored.push(writeSteps(rest));
  }
  expect(replay(stored).doc.eq(tr.doc)).toBe(true);
  const known = stored.filter((text) => !text.includes('"noTerm"'));
  expect(stored).toHaveLength(known.length + 2);
  expect(replay(known).doc.textContent).toBe('Find!');
});
