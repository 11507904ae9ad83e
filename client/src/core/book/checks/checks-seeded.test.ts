import { expect, test } from 'vitest';
import { sampleRulebook } from '../../testing/sample-rulebook.ts';
import type { Block } from '../document/schema.ts';
import { EMPTY_PROJECT } from '../typesetting/context.ts';
import { type CardText, type CheckCode, checkRulebook } from './checks.ts';

const text = (words: string) => [{ type: 'text' as const, text: words }];
const paragraph = (id: string, words: string): Block => ({ type: 'paragraph', id, content: text(words) });
const definition = (id: string, term: string): Block => ({
  type: 'definition',
  id,
  term,
  variants: [],
  forbidden: [],
  content: text('It is what it is.'),
});
const heading = (id: string, words: string): Block => ({
  type: 'heading',
  id,
  level: 1,
  content: text(words),
});
const reference = (id: string, block: string): Block => ({
  type: 'paragraph',
  id,
  content: [...text('See '), { type: 'reference', block, show: 'title' }],
});
const hard = Array.from(
  { length: 14 },
  () => 'Participants simultaneously determine appropriate redistributions of accumulated commodities.',
).join(' ');

/** The blocks of twenty faults, and what is to be found of each. */
const FAULTS: readonly (readonly [code: CheckCode, block: string | null, blocks: readonly Block[]])[] = [
  ['term-unused', 'f1', [definition('f1', 'Zephyr')]],
  ['term-unused', 'f2', [definition('f2', 'Undertow')]],
  ['forbidden-word', 'f3', [paragraph('f3', 'Take a treasure.')]],
  ['forbidden-word', 'f4', [paragraph('f4', 'Draw from the deck.')]],
  ['forbidden-word', null, []],
  ['dead-reference', 'f6', [reference('f6', 'gone')]],
  ['dead-reference', 'f7', [reference('f7', 'lost')]],
  [
    'dead-reference',
    'f8',
    [{ type: 'paragraph', id: 'f8', content: [{ type: 'term', definition: 'no', text: 'reef' }] }],
  ],
  ['component-unmentioned', null, []],
  ['component-unmentioned', null, []],
  ['icon-unexplained', null, []],
  ['icon-unexplained', null, []],
  ['term-undefined', null, []],
  ['term-undefined', null, []],
  ['count-differs', 'f15', [paragraph('f15', 'There are 28 finds.')]],
  ['count-differs', 'f16', [paragraph('f16', 'Shuffle all 30 finds.')]],
  ['count-differs', 'f17', [heading('f17h', 'What is in the box'), paragraph('f17', '5 tides')]],
  ['long-sentence', 'f18', [paragraph('f18', `${Array.from({ length: 40 }, () => 'tide').join(' ')}.`)]],
  ['long-sentence', 'f19', [paragraph('f19', `${Array.from({ length: 33 }, () => 'beach').join(' ')}.`)]],
  ['hard-to-read', 'f20h', [heading('f20h', 'Duties'), paragraph('f20', hard)]],
];

/** Sentences of rulebooks that are right, with what checks could take for a fault. */
const INNOCENT = [
  'Whoever has 5 finds stops drawing. A hand of 5 finds is full.',
  'If your hand has 7 finds, discard two of them.',
  'Each player takes 2 finds and 1 of the 3 tides.',
  'The row has 4 tides. When it has 2 tides, refill it.',
  'Return these 2 finds to the box, and choose one of the 3 finds below.',
  'There are 3 finds on each beach. The game has 10 finds left.',
  'All 24 finds are shuffled. The game has 6 tides and 24 finds.',
  'The winner has 20 finds. Players hold 25 finds at most.',
  'A set is 3 finds of one colour; every set of 3 finds is worth 5 points.',
  'The 3 finds you drew go to your hand. With 5 tides on the table, the round ends.',
  'Captain Mira and Old Tom play. Tom takes two shells; Mira says “Ahoy” and passes.',
  'Round 2 begins at dusk, as chapter 3 says. A turn takes 2 minutes.',
  'Treasured memories decked the wall. The decking was wet.',
];

test('twenty faults that are put into a book are found, and at most two others', () => {
  const sample = sampleRulebook();
  // A list of components mentions them all.
  const clean = sample.blocks.filter(({ type }) => type !== 'live');
  const project = {
    ...EMPTY_PROJECT,
    components: [
      { name: 'Finds', count: 24 },
      { name: 'Tides', count: 6 },
      { name: 'Wind vanes', count: 3 },
      { name: 'Buckets', count: 4 },
    ],
  };
  const cards: CardText[] = [1, 2, 3].map((number) => ({
    name: `Card ${number}`,
    text: `Gain one Renown now, lose a Favour.${number === 1 ? ' Shuffle the deck.' : ''}`,
    icons: ['shell', 'rope'],
  }));
  const innocent = INNOCENT.map((words, at) => paragraph(`innocent${at}`, words));
  const blocks = [
    ...clean,
    heading('innocents', 'A turn'),
    ...innocent,
    ...FAULTS.flatMap(([, , own]) => own),
  ];
  const found = checkRulebook({
    doc: { ...sample, blocks },
    project,
    cards,
    flowed: null,
  }).map(({ code, block }) => `${code} ${block}`);
  // The sample has long sentences of its own, which are no mistake of the check.
  const own = checkRulebook({
    doc: { ...sample, blocks: clean },
    project: EMPTY_PROJECT,
    cards: [],
    flowed: null,
  }).map(({ code, block }) => `${code} ${block}`);
  const others = [...found];
  for (const one of own) others.splice(others.indexOf(one), 1);
  const missed = FAULTS.filter(([code, block]) => {
    const at = others.indexOf(`${code} ${block}`);
    if (at >= 0) others.splice(at, 1);
    return at < 0;
  });
  expect(missed.map(([code, block]) => `${code} ${block}`)).toEqual([]);
  expect(others.length, others.join(', ')).toBeLessThanOrEqual(2);
});
