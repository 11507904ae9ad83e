import { expect, test } from 'vitest';
import { type ProjectDocument, TRASH_DAYS, type WithId } from '../../../data/documents/documents.ts';
import { daysLeft, isOverdue, readTags } from '../../../data/project/projects.ts';
import { find, projectChoices, sorted, statusOf, tagsOf } from './project-list.ts';

const DAY = 86_400_000;

function project(id: string, fields: Partial<ProjectDocument> = {}): WithId<ProjectDocument> {
  return {
    id,
    name: id,
    description: '',
    createdAt: 0,
    updatedAt: 0,
    coverColor: '#000000',
    cover: 'colour',
    tags: [],
    language: '',
    archived: false,
    trashedAt: 0,
    owner: 'ann',
    shared: false,
    members: {},
    translates: {},
    people: {},
    ...fields,
  };
}

test('a project has one status; the trash goes before the archive', () => {
  expect(statusOf(project('a'))).toBe('active');
  expect(statusOf(project('a', { archived: true }))).toBe('archived');
  expect(statusOf(project('a', { archived: true, trashedAt: 5 }))).toBe('trash');
});

test('search finds every word in name, description and tags, whatever case and accents', () => {
  const projects = [
    project('a', { name: 'Émigré', description: 'Trains at night' }),
    project('b', { name: 'Trains', tags: ['Solo', 'space'] }),
  ];
  expect(find(projects, 'train').map(({ id }) => id)).toEqual(['a', 'b']);
  expect(find(projects, ' NIGHT  emigre').map(({ id }) => id)).toEqual(['a']);
  expect(find(projects, 'trains solo').map(({ id }) => id)).toEqual(['b']);
  expect(find(projects, '', ['solo', 'Space']).map(({ id }) => id)).toEqual(['b']);
  expect(find(projects, '', ['solo', 'coop'])).toEqual([]);
});

test('sorting is by time or name, and steady', () => {
  const projects = [
    project('b', { name: 'deck 10', updatedAt: 1, createdAt: 3 }),
    project('a', { name: 'Deck 9', updatedAt: 1, createdAt: 2 }),
    project('c', { name: 'alpha', updatedAt: 2, createdAt: 1 }),
  ];
  expect(sorted(projects, 'changed').map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  expect(sorted(projects, 'name').map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  expect(sorted(projects, 'created').map(({ id }) => id)).toEqual(['b', 'a', 'c']);
});

test('tags are told once each, the most used first', () => {
  expect(tagsOf([project('a', { tags: ['Solo', 'coop'] }), project('b', { tags: ['solo'] })])).toEqual([
    'Solo',
    'coop',
  ]);
  expect(readTags(' Solo, , co  op,SOLO')).toEqual(['Solo', 'co op']);
  expect(readTags(Array.from({ length: 50 }, (_, i) => `t${i}`).join())).toHaveLength(20);
});

test('the trash keeps a project for its days, and no longer', () => {
  const trashed = project('a', { trashedAt: 1_000 });
  expect(isOverdue(trashed, 1_000 + TRASH_DAYS * DAY)).toBe(false);
  expect(isOverdue(trashed, 1_001 + TRASH_DAYS * DAY)).toBe(true);
  expect(isOverdue(project('b'), Number.MAX_SAFE_INTEGER)).toBe(false);
  expect(daysLeft(trashed, 1_000)).toBe(TRASH_DAYS);
  expect(daysLeft(trashed, 1_000 + 99 * DAY)).toBe(0);
});

test('projects of one name are told apart where one is chosen', () => {
  const at = (id: string, name: string, createdAt: number) => ({ id, name, createdAt });
  const [fox, Fox, owl] = projectChoices([
    at('a', 'Fox', Date.UTC(2026, 0, 2, 12, 30)),
    at('b', 'fox', Date.UTC(2026, 0, 3, 12, 30)),
    at('c', 'Owl', 0),
  ]);
  expect(owl).toEqual({ value: 'c', label: 'Owl' });
  expect([fox?.value, Fox?.value]).toEqual(['a', 'b']);
  expect(fox?.label).toMatch(/^Fox, made .*2026/);
  expect(Fox?.label).toMatch(/^fox, made .*2026/);
  expect(fox?.label.slice(3)).not.toBe(Fox?.label.slice(3));
});
