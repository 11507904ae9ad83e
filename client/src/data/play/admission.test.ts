import { expect, test } from 'vitest';
import { codeFault, codeIn, joinLink, joinProblem } from './admission.ts';

test('codes are read as people type and paste them', () => {
  for (const typed of [
    'ABC234',
    'abc234',
    ' abc 234 ',
    'abc-234',
    'https://example.com/join/ABC234',
    'Come to https://example.com/join/abc234?x=1 tonight',
    joinLink('http://localhost:5000', 'ABC234'),
  ]) {
    expect(codeIn(typed), typed).toBe('ABC234');
    expect(codeFault(codeIn(typed))).toBeUndefined();
  }
  expect(codeIn('abc2345')).toBe('ABC234');
});

test('what is no code is said, with the sign that is none', () => {
  expect(codeFault('ABC')).toContain('6 letters');
  expect(codeFault('')).toContain('6 letters');
  for (const sign of '01ILO!é') expect(codeFault(`ABC23${sign}`)).toContain(`“${sign}”`);
  for (const sign of '23456789ABCDEFGHJKMNPQRSTUVWXYZ') expect(codeFault(`ABC23${sign}`)).toBeUndefined();
});

test('reasons of the server are told in its words, and others in ours', () => {
  const error = (code: string) => Object.assign(new Error('No table has this code.'), { code });
  expect(joinProblem(error('functions/not-found'))).toBe('No table has this code.');
  expect(joinProblem(error('functions/unavailable'))).toContain('cannot be reached');
});
