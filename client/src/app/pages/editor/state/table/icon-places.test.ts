import { expect, test } from 'vitest';
import { card, text } from '../../../../../core/testing/gallery-build.ts';
import { iconPlaces, MAX_CARDS_READ } from './icon-places.ts';

const COLUMNS = [
  { key: 'name', name: 'Name' },
  { key: 'rules', name: 'Rules' },
];
const ROWS = [
  { name: 'Inn', cells: { name: 'Inn', rules: 'Pay 2 [credit], then rest. Credit is good.' } },
  { name: 'Road', cells: { name: 'Road', rules: 'Credits do not help.' } },
  { name: 'Bank', cells: { name: 'Bank', rules: 'Take {Credit}.' } },
];
const icon = { kind: 'icon', name: 'Credit', source: 'Icons/credit.png', size: 1, offset: 0 } as const;
const { layout } = card(
  'Icons',
  [
    text([0, 0, 40, 8], '', {}, { name: 'Title', bindings: { text: { mode: 'column', column: 'name' } } }),
    text([0, 9, 40, 40], '', {}, { name: 'Rules', bindings: { text: { mode: 'column', column: 'rules' } } }),
  ],
  { variables: [{ kind: 'text', name: 'Other', value: 'x' }, icon] },
);
const places = (writing: object, rows: typeof ROWS = ROWS) => iconPlaces(layout, 1, writing, rows, COLUMNS);
const told = (found: ReturnType<typeof places>) =>
  found.places.map(({ row, zone, icons, pieces }) => [
    row.name,
    zone,
    icons,
    pieces.map(({ text: words, icon: is }) => (is ? `<${words}>` : words)).join(''),
  ]);

test('a token stands where it is written, a word where it is one, and braces count as neither', () => {
  expect(told(places({}))).toEqual([]);
  expect(told(places({ token: '[credit]' }))).toEqual([
    ['Inn', 'Rules', 1, 'Pay 2 <Credit>, then rest. Credit is good.'],
  ]);
  expect(told(places({ anywhere: true }))).toEqual([
    ['Inn', 'Rules', 1, 'Pay 2 [credit], then rest. <Credit> is good.'],
  ]);
  const both = places({ token: '[credit]', anywhere: true });
  expect(told(both)).toEqual([['Inn', 'Rules', 2, 'Pay 2 <Credit>, then rest. <Credit> is good.']]);
  expect([both.cards, both.read]).toEqual([1, 3]);
});

test('the layouts beside each other differ in this icon alone', () => {
  const { before, after } = places({ token: ':c:', anywhere: true });
  expect(before.variables[1]).toMatchObject({ token: '', anywhere: false, source: icon.source });
  expect(after.variables[1]).toMatchObject({ token: ':c:', anywhere: true, source: icon.source });
  expect({ ...after, variables: [] }).toEqual({ ...before, variables: [] });
});

test('words that the layout itself says are on every card, and no more cards are read than said', () => {
  const fixed = { ...layout, zones: [text([0, 0, 40, 8], 'Only Credit counts')] };
  const rows = Array.from({ length: MAX_CARDS_READ + 5 }, (_, n) => ({ name: `${n}`, cells: {} }));
  const found = iconPlaces(fixed, 1, { anywhere: true }, rows, COLUMNS);
  expect([found.cards, found.places.length, found.read]).toEqual([
    MAX_CARDS_READ,
    MAX_CARDS_READ,
    MAX_CARDS_READ,
  ]);
});

test('of a long text the part around the icon is told', () => {
  const long = `${'before '.repeat(30)}Credit ${'after '.repeat(30)}`;
  const [place] = places({ anywhere: true }, [{ name: 'Long', cells: { name: '', rules: long } }]).places;
  const said = place?.pieces.map(({ text: words }) => words).join('') ?? '';
  expect(said).toMatch(/^….{40}Credit.{40}…$/);
});
