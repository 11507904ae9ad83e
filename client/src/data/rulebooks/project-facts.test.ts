import { expect, test } from 'vitest';
import type { Block, Inline } from '../../core/book/document/schema.ts';
import { toProse, toRulebook } from '../../core/book/prose/convert.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { cardSchema, componentSchema, layoutDocumentSchema } from '../documents/documents.ts';
import { type BookPart, namedCards } from './card-names.ts';
import { projectFacts, textFacts } from './project-facts.ts';

const component = (id: string, name: string) => ({
  id,
  ...componentSchema.parse({
    name,
    kind: 'cards',
    layoutId: 'l',
    order: 0,
    columns: [
      { key: 'a', name: 'Name', type: 'text' },
      { key: 'b', name: 'Text', type: 'text' },
    ],
  }),
});
const card = (id: string, name: string, text: string, copies: number) => ({
  id,
  ...cardSchema.parse({ order: 0, copies, cells: { a: name, b: text } }),
});
const icon = (name: string) =>
  ({ kind: 'icon', name, source: `Icons/${name}.svg`, size: 1, offset: 0 }) as const;

const PARTS: BookPart[] = [
  {
    component: component('c', 'Finds'),
    cards: [card('1', 'Cockle', 'Worth {shell} two', 3), card('2', 'Whelk', '', 2)],
  },
  { component: component('d', 'Tide cards'), cards: [card('3', 'Ebb', '', 6)] },
];
const LAYOUTS = [
  {
    id: 'l',
    ...layoutDocumentSchema.parse({
      name: 'Card',
      version: 1,
      updatedAt: 0,
      scene: { ...newLayout('Card'), variables: [icon('shell'), icon('rope'), icon('glass')] },
    }),
  },
];

const book = (content: Inline[], ...more: Block[]) =>
  toRulebook(toProse([{ type: 'paragraph', id: 'p', content }, ...more]), {
    title: 'R',
    subtitle: '',
    language: 'en',
  });

test('components are counted with their copies, and formulas know the numbers by the names', () => {
  const value = (formula: string): Inline => ({ type: 'value', formula });
  const facts = projectFacts(
    book([value('Finds * 2'), value('[Tide cards] + finds'), value('Nothing')]),
    PARTS,
    LAYOUTS,
  );
  expect(facts.components).toEqual([
    { name: 'Finds', count: 5 },
    { name: 'Tide cards', count: 6 },
  ]);
  expect(facts.values).toEqual([
    ['Finds * 2', { text: '10' }],
    ['[Tide cards] + finds', { text: '11' }],
    ['Nothing', { error: expect.stringContaining('Nothing') }],
  ]);
});

test('values are cells of cards, and counts and totals of the cards for which something is true', () => {
  const cost = (id: string, name: string, text: string, copies: number) => card(id, name, text, copies);
  const parts: BookPart[] = [
    {
      component: component('c', 'Finds'),
      cards: [cost('1', 'Cockle', '2', 3), cost('2', 'Great Whelk', '5', 2), cost('3', 'Crab', '', 1)],
    },
    { component: component('d', 'Tide cards'), cards: [cost('4', 'Ebb', '7', 6)] },
  ];
  const worth = (formula: string) =>
    projectFacts(book([{ type: 'value', formula }]), parts, LAYOUTS).values[0]?.[1];
  const text = (value: string) => ({ text: value });
  const error = (message: string) => ({ error: message });
  expect(worth('Cockle.text')).toEqual(text('2'));
  expect(worth('[great whelk].Text * 2 + finds')).toEqual(text('16'));
  expect(worth('Ebb.[Name] & "!"')).toEqual(text('Ebb!'));
  expect(worth('count(Finds)')).toEqual(text('6'));
  expect(worth('count(finds, text > 1)')).toEqual(text('5'));
  expect(worth('count([Tide cards], name == "Ebb") / 2')).toEqual(text('3'));
  expect(worth('total(Finds, text ?? 0)')).toEqual(text('16'));
  expect(worth('count(Finds, index == 1)')).toEqual(text('3'));
  // Numbers of components are still what they were inside other functions.
  expect(worth('sum(Finds, [Tide cards])')).toEqual(text('12'));
  expect(worth('Limpet.text')).toEqual(error('There is no card «Limpet».'));
  expect(worth('Cockle.cost')).toEqual(error('The card «Cockle» has no column «cost».'));
  expect(worth('Cockle.toString')).toEqual(error('The card «Cockle» has no column «toString».'));
  expect(worth('count(Nothing)')).toEqual(error('There is no component «Nothing».'));
  expect(worth('total(Finds)')).toEqual(error('total is written total(component, value).'));
  // Conditions know the other cards too.
  expect(worth('count(Finds, text > Cockle.text)')).toEqual(text('2'));
  expect(worth('total(Finds, count([Tide cards]))')).toEqual(text('36'));
});

test('the icons are those of the cards and of the text, and no others', () => {
  const facts = projectFacts(book([{ type: 'icon', name: 'rope' }]), PARTS, LAYOUTS);
  expect(facts.icons.map(({ name }) => name)).toEqual(['shell', 'rope']);
  expect(facts.texts[0]).toEqual({
    name: 'Cockle',
    place: { component: 'c', card: '1' },
    text: 'Cockle\nWorth {shell} two',
    icons: ['shell'],
  });
});

test('a row of cards brings the cards that there are, each with its layout', () => {
  const row: Block = { type: 'cards', id: 'r', names: ['Ebb', 'Nobody'], caption: [] };
  const { cards, absent } = projectFacts(book([], row), PARTS, LAYOUTS);
  expect(absent).toEqual([['Nobody', { reason: 'gone' }]]);
  expect(cards.map(({ name, alt }) => [name, alt])).toEqual([['Ebb', 'Ebb']]);
  expect(cards[0]?.layout.name).toBe('Card');
});

test('cards that a text names and that are not there are told, with one that is like them', () => {
  const row: Block = { type: 'cards', id: 'r', names: ['Cockles', 'Ebb'], caption: [] };
  const text = book(
    [
      { type: 'card', name: 'The whelk' },
      { type: 'card', name: 'Ebb' },
    ],
    row,
  );
  expect(projectFacts(text, PARTS, LAYOUTS).absent).toEqual([
    ['Cockles', { reason: 'gone', instead: 'Cockle' }],
    ['The whelk', { reason: 'gone', instead: 'Whelk' }],
  ]);
  // Of a card that has no layout any longer the text still says the name.
  expect(projectFacts(text, PARTS, []).absent).toContainEqual(['Ebb', { reason: 'no-layout' }]);
});

test('a list of components has a picture of each, and brings their cards', () => {
  const list: Block = { type: 'live', id: 'l', show: 'components' };
  const { components, cards } = projectFacts(book([], list), PARTS, LAYOUTS);
  expect(components).toEqual([
    { name: 'Finds', count: 5, card: 'Cockle' },
    { name: 'Tide cards', count: 6, card: 'Ebb' },
  ]);
  expect(cards.map(({ name }) => name)).toEqual(['Cockle', 'Ebb']);
  expect(projectFacts(book([]), PARTS, LAYOUTS).components[0]).toEqual({ name: 'Finds', count: 5 });
});

test('the set-up is worked out where a block shows it, once for a project that stays the same', () => {
  const table: Block = { type: 'live', id: 'l', show: 'setup' };
  expect(projectFacts(book([]), PARTS, LAYOUTS).setUp).toBeUndefined();
  const facts = projectFacts(book([], table), PARTS, LAYOUTS);
  expect(textFacts(facts).setUp).toEqual([
    '5 × Finds',
    'Finds discard',
    '6 × Tide cards',
    'Tide cards discard',
  ]);
  expect(projectFacts(book([], table, { ...table, id: 'm' }), PARTS, LAYOUTS).setUp).toBe(facts.setUp);
  expect(projectFacts(book([], table), PARTS, []).setUp).toEqual({
    problem: expect.stringContaining('layout'),
  });
});

test('the names of the same cards are worked out once, those of others anew', () => {
  expect(namedCards(PARTS)).toBe(namedCards(PARTS));
  expect(namedCards([...PARTS])).not.toBe(namedCards(PARTS));
  expect(namedCards([...PARTS])).toEqual(namedCards(PARTS));
});

test('cards and icons are read once for all letters of a text, and again when they change', () => {
  const texts = (parts: readonly BookPart[], layouts: typeof LAYOUTS, word: string) =>
    projectFacts(book([{ type: 'text', text: word }]), parts, layouts).texts;
  const first = texts(PARTS, LAYOUTS, 'D');
  expect(texts(PARTS, LAYOUTS, 'Dr')).toBe(first);
  expect(texts([...PARTS].slice(1), LAYOUTS, 'Dr').map(({ name }) => name)).toEqual(['Ebb']);
  const other = LAYOUTS.map((one) => ({ ...one, scene: { ...one.scene, variables: [] } }));
  expect(first.flatMap(({ icons }) => icons)).toEqual(['shell']);
  expect(texts(PARTS, other, 'Dr').flatMap(({ icons }) => icons)).toEqual([]);
});

test('cards of one name are told apart by their component, or their number in it; equal rows are one card', () => {
  const parts: BookPart[] = [
    {
      component: component('c', 'Finds'),
      cards: [card('1', 'Ebb', 'one', 1), card('2', 'Ebb', 'one', 1), card('3', 'Ebb', 'two', 1)],
    },
    {
      component: component('d', 'Tide cards'),
      cards: [card('4', 'Ebb', 'three', 6), card('5', 'Flood', '', 1)],
    },
  ];
  const ids = [...namedCards(parts)].map(([name, one]) => [name, one.card.id]);
  expect(ids).toEqual([
    ['Ebb', '1'],
    ['Ebb (Finds)', '1'],
    ['Ebb (Finds 2)', '3'],
    ['Ebb (Tide cards)', '4'],
    ['Flood', '5'],
  ]);
  const names: Block = { type: 'cards', id: 'r', names: ['Ebb (Tide cards)', 'Ebb'], caption: [] };
  const facts = projectFacts(book([{ type: 'card', name: 'Flood' }], names), parts, LAYOUTS);
  expect(facts.shared).toEqual([['Ebb', ['Ebb (Finds)', 'Ebb (Finds 2)', 'Ebb (Tide cards)']]]);
  expect(facts.absent).toEqual([]);
  expect(facts.cards.map(({ name, row }) => [name, row.cells['b']])).toEqual([
    ['Ebb (Tide cards)', 'three'],
    ['Ebb', 'one'],
  ]);
  expect(facts.texts.map(({ name, also }) => [name, also])).toEqual([
    ['Ebb', 'Ebb (Finds)'],
    ['Ebb', 'Ebb (Finds)'],
    ['Ebb (Finds 2)', undefined],
    ['Ebb (Tide cards)', undefined],
    ['Flood', undefined],
  ]);
  const value: Inline = { type: 'value', formula: '[Ebb (Tide cards)].text' };
  expect(projectFacts(book([value]), parts, LAYOUTS).values[0]?.[1]).toEqual({ text: 'three' });
});

test('a card that is called as another would be called keeps its name', () => {
  const parts: BookPart[] = [
    {
      component: component('c', 'Finds'),
      cards: [card('1', 'Ebb', 'one', 1), card('2', 'Ebb (Tide)', 'x', 1)],
    },
    { component: component('d', 'Tide'), cards: [card('3', 'Ebb', 'two', 1)] },
  ];
  expect(namedCards(parts).get('Ebb (Tide)')?.card.id).toBe('2');
});
