import { expect, test } from 'vitest';
import library from '../../../assets/font-library.json' with { type: 'json' };
import { FONT_FAMILIES, familyOf } from '../../core/text/fonts/catalogue.ts';
import { CATEGORIES, familyGroups } from './families.ts';

const families = library.families.map(familyOf);
const names = (query: string) =>
  familyGroups([], families, query).flatMap((group) => group.families.map(({ name }) => name));

test('every family that can be chosen is in a group', () => {
  const offered = FONT_FAMILIES.filter(({ fallbackOnly }) => !fallbackOnly).length + families.length;
  expect(names('')).toHaveLength(offered);
  for (const { category } of families) expect(CATEGORIES).toContain(category);
});

test('search goes by the words of name and group; a group can be shown alone', () => {
  expect(names('fell eng')).toEqual(['IM Fell English', 'IM Fell English SC']);
  expect(names('hand amatic')).toEqual(['Amatic SC']);
  expect(names('nothing of the kind')).toEqual([]);
  expect(familyGroups([], families, '', 'monospace').map(({ category }) => category)).toEqual(['monospace']);
});
