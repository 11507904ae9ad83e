import { expect, test } from 'vitest';
import { projectSchema } from '../../data/documents/documents.ts';
import { audienceOf, targetsFor } from './targets.ts';

const project = (id: string, members: Record<string, string>, more: object = {}) => ({
  ...projectSchema.parse({
    name: id,
    createdAt: null,
    updatedAt: null,
    trashedAt: null,
    owner: 'ann',
    members,
    people: { ann: 'Ann', bob: 'Bob', cat: 'Cat', dan: 'Dan' },
    ...more,
  }),
  id,
});

test('who sees a place is told by name, without those who only play', () => {
  expect(audienceOf(undefined, 'ann')).toBe('Only you');
  expect(audienceOf(project('p', { ann: 'owner' }), 'ann')).toBe('Only you');
  expect(audienceOf(project('p', { ann: 'owner', bob: 'playtester' }), 'ann')).toBe('Only you');
  expect(audienceOf(project('p', { ann: 'owner', bob: 'viewer' }), 'ann')).toBe('You and Bob');
  const many = { ann: 'owner', bob: 'viewer', cat: 'editor', dan: 'owner', eve: 'viewer', fay: 'viewer' };
  expect(audienceOf(project('p', many), 'ann')).toBe('You, Bob, Cat, Dan and 2 others');
  expect(audienceOf(project('p', { ann: 'owner', eve: 'viewer' }), 'ann')).toBe(
    'You and somebody without a name',
  );
});

test('things go where one may put them, and not where they are', () => {
  const all = [
    project('own', { ann: 'owner' }),
    project('edited', { ann: 'editor' }),
    project('viewed', { ann: 'viewer' }),
    project('version', { ann: 'owner' }, { frozenOf: 'own' }),
    project('trash', { ann: 'owner' }, { trashedAt: { toMillis: () => 5 } }),
  ];
  const ids = (from?: string) => targetsFor(all, 'ann', from).map(({ id }) => id);
  expect(ids()).toEqual(['own', 'edited']);
  expect(ids('own')).toEqual(['', 'edited']);
  expect(ids('viewed')).toEqual(['', 'own', 'edited']);
});
