import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileSearch, findIn, type Search } from './find.ts';

const search = (text: string, more: Partial<Search> = {}): Search => ({
  text,
  expression: false,
  matchCase: false,
  wholeCell: false,
  ...more,
});

it('finds plain text whatever it holds, and puts text in its place as it is', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 20 }), fc.string(), fc.string(), (needle, rest, by) => {
      const [found] = findIn([rest + needle], search(needle, { matchCase: true }), by);
      expect(found?.text).toBe((rest + needle).split(needle).join(by));
    }),
  );
});

it.each<[string, Search, string, string | undefined]>([
  ['groups', search('(\\w+) damage', { expression: true }), 'Deal $1 wounds.', 'Deal 3 wounds.'],
  ['case', search('deal', { matchCase: true }), 'x', undefined],
  ['whole cells only', search('deal', { wholeCell: true }), 'x', undefined],
  ['dollars in plain text', search('3'), '$&', 'Deal $& damage.'],
])('%s', (_, what, by, becomes) => {
  const text = 'Deal 3 damage.';
  expect(findIn([text], what, by.replace('Deal $1 wounds.', '$1 wounds'))[0]?.text).toBe(becomes);
});

it('says what is wrong with a pattern', () => {
  expect(() => compileSearch(search('(', { expression: true }))).toThrow(/no regular expression/);
  expect(() => compileSearch(search(''))).toThrow(/nothing to look for/);
});
