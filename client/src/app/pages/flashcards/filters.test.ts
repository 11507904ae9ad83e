import { expect, test } from 'vitest';
import type { Card, WithId } from '../../../data/documents/documents.ts';
import { ANY, NO_STATUS, tagKey, tagsOf, wantedCards } from './filters.ts';

const card = (id: string, kind: string, status?: Card['status']): WithId<Card> => ({
  id,
  order: 0,
  copies: 1,
  cells: { name: `The ${id}`, kind },
  status,
});
const cards = [card('a', 'Wet, Cold', 'draft'), card('b', 'Cold', 'final'), card('c', ''), card('d', 'Cold')];
const columns = [
  { key: 'name', name: 'Name', type: 'text' as const },
  { key: 'kind', name: 'Kind', type: 'list' as const },
];
const ids = (found: readonly WithId<Card>[]) => found.map(({ id }) => id).join('');

test('tags are those of the columns that hold some, several to a cell', () => {
  expect([...tagsOf({ columns }, cards)]).toEqual([['kind', ['Wet', 'Cold']]]);
});

test('cards are wanted by status, by tag, by what changed, and by all of it together', () => {
  expect(ids(wantedCards(cards, ANY, undefined))).toBe('abcd');
  expect(ids(wantedCards(cards, { ...ANY, status: 'draft' }, undefined))).toBe('a');
  expect(ids(wantedCards(cards, { ...ANY, status: NO_STATUS }, undefined))).toBe('cd');
  expect(ids(wantedCards(cards, { ...ANY, tag: tagKey('kind', 'Cold') }, undefined))).toBe('abd');
  // While the cards are compared with the print nothing is known of them.
  expect(ids(wantedCards(cards, { ...ANY, since: 1 }, undefined))).toBe('');
  const changed = new Set(['a', 'c', 'd']);
  expect(ids(wantedCards(cards, { ...ANY, since: 1 }, changed))).toBe('acd');
  const all = { status: NO_STATUS, tag: tagKey('kind', 'Cold'), since: 1 };
  expect(ids(wantedCards(cards, all, changed))).toBe('d');
});
