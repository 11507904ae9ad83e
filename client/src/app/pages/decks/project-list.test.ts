import { expect, test } from 'vitest';
import { type Deck, TRASH_DAYS, type WithId } from '../../../data/documents.ts';
import { daysLeft, isOverdue, readTags } from '../../../data/projects.ts';
import { find, sorted, statusOf, tagsOf } from './project-list.ts';

const DAY = 86_400_000;

function deck(id: string, fields: Partial<Deck> = {}): WithId<Deck> {
  return {
    id,
    name: id,
    description: '',
    createdAt: 0,
    updatedAt: 0,
    coverColor: '#000000',
    cover: 'colour',
    tags: [],
    archived: false,
    trashedAt: 0,
    members: {},
    people: {},
    ...fields,
  };
}

test('a project has one status; the trash goes before the archive', () => {
  expect(statusOf(deck('a'))).toBe('active');
  expect(statusOf(deck('a', { archived: true }))).toBe('archived');
  expect(statusOf(deck('a', { archived: true, trashedAt: 5 }))).toBe('trash');
});

test('search finds every word in name, description and tags, whatever case and accents', () => {
  const decks = [
    deck('a', { name: 'Émigré', description: 'Trains at night' }),
    deck('b', { name: 'Trains', tags: ['Solo', 'space'] }),
  ];
  expect(find(decks, 'train').map(({ id }) => id)).toEqual(['a', 'b']);
  expect(find(decks, ' NIGHT  emigre').map(({ id }) => id)).toEqual(['a']);
  expect(find(decks, 'trains solo').map(({ id }) => id)).toEqual(['b']);
  expect(find(decks, '', ['solo', 'Space']).map(({ id }) => id)).toEqual(['b']);
  expect(find(decks, '', ['solo', 'coop'])).toEqual([]);
});

test('sorting is by time or name, and steady', () => {
  const decks = [
    deck('b', { name: 'deck 10', updatedAt: 1, createdAt: 3 }),
    deck('a', { name: 'Deck 9', updatedAt: 1, createdAt: 2 }),
    deck('c', { name: 'alpha', updatedAt: 2, createdAt: 1 }),
  ];
  expect(sorted(decks, 'changed').map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  expect(sorted(decks, 'name').map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  expect(sorted(decks, 'created').map(({ id }) => id)).toEqual(['b', 'a', 'c']);
});

test('tags are told once each, the most used first', () => {
  expect(tagsOf([deck('a', { tags: ['Solo', 'coop'] }), deck('b', { tags: ['solo'] })])).toEqual([
    'Solo',
    'coop',
  ]);
  expect(readTags(' Solo, , co  op,SOLO')).toEqual(['Solo', 'co op']);
  expect(readTags(Array.from({ length: 50 }, (_, i) => `t${i}`).join())).toHaveLength(20);
});

test('the trash keeps a project for its days, and no longer', () => {
  const trashed = deck('a', { trashedAt: 1_000 });
  expect(isOverdue(trashed, 1_000 + TRASH_DAYS * DAY)).toBe(false);
  expect(isOverdue(trashed, 1_001 + TRASH_DAYS * DAY)).toBe(true);
  expect(isOverdue(deck('b'), Number.MAX_SAFE_INTEGER)).toBe(false);
  expect(daysLeft(trashed, 1_000)).toBe(TRASH_DAYS);
  expect(daysLeft(trashed, 1_000 + 99 * DAY)).toBe(0);
});
