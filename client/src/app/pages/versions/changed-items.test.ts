import { expect, test } from 'vitest';
import { differenceOf } from '../../../core/versions/difference.ts';
import type { StoredChange } from '../../../core/versions/stored-change.ts';
import { itemGroups, summary } from './changed-items.ts';

const card = (id: string, before: string | null, after: string | null): StoredChange => {
  const fields = (name: string | null) =>
    name === null ? null : { order: Number(id), copies: 1, cells: { name } };
  return { path: `components/c/cards/${id}`, before: fields(before), after: fields(after) };
};
const context = [
  {
    path: 'components/c',
    value: { name: 'Events', columns: [{ key: 'name', name: 'Name', type: 'text' }] },
  },
];

test('everything that differs is listed by what it is of, cards below their component', () => {
  const difference = differenceOf(
    [
      card('1', 'Ash', 'Ashes'),
      card('2', null, 'Ember'),
      card('3', 'Flood', null),
      { path: 'notes/main', before: { text: 'a' }, after: { text: 'b' } },
      { path: 'later/x', before: null, after: { a: 1 } },
    ],
    context,
  );
  const lines = itemGroups(difference).map(({ title, items }) => [
    title,
    ...items.map(({ label, change, inner, cards }) => [label, change, inner ?? false, cards ?? 0].join(' ')),
  ]);
  expect(lines).toEqual([
    [
      'Components and cards',
      'Events changed false 3',
      'Ashes changed true 0',
      'Ember added true 0',
      'Flood removed true 0',
    ],
    ['Notes and settings', 'Notes changed false 0', 'What this page does not know changed false 0'],
  ]);
  expect(summary(difference)).toBe('3 cards, the notes and 1 other document');
});

test('of very many cards the rest is counted', () => {
  const many = Array.from({ length: 450 }, (_, at) => card(String(at), 'a', `b${at}`));
  const [group] = itemGroups(differenceOf(many, context));
  expect(group?.items).toHaveLength(201);
  expect(group?.more).toBe(250);
});

test('keys tell all lines apart', () => {
  const difference = differenceOf(
    [
      'components/c',
      'layouts/c',
      'rulebooks/c',
      'images/c',
      'fonts/c',
      'printPresets/c',
      'components/c/cards/c',
    ].map(
      (path): StoredChange => ({ path, before: null, after: { name: 'Same', title: 'Same', path: 'Same' } }),
    ),
  );
  const keys = itemGroups(difference).flatMap(({ items }) => items.map(({ key }) => key));
  expect(new Set(keys).size).toBe(7);
});
