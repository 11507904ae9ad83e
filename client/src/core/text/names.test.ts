import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isolated, withoutTurns } from './names.ts';

test('nothing in a name turns the text around it', () => {
  expect(withoutTurns('Ada\u202egro.live\u2066\u202a')).toBe('Adagro.live');
  expect(isolated('Ada\u202egro.live')).toBe('Adagro.live');
});

test('a name that is read from right to left is set apart, and no other', () => {
  for (const name of ['עדה', 'Ada (عدا)', '\u{10a00}', '\u202eעדה'])
    expect(isolated(name)).toBe(`\u2068${withoutTurns(name)}\u2069`);
  for (const name of ['Ada Müller', 'Ада', 'नमस्ते', '葛', '👩‍🚀', '']) expect(isolated(name)).toBe(name);
});

test('whatever a name is, its isolates are closed and nothing else turns', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const inner = isolated(name).replace(/^\u2068([^\u2068\u2069]*)\u2069$/, '$1');
      expect(inner).toBe(withoutTurns(name));
      expect(/[\u202a-\u202e\u2066-\u2069]/.test(inner)).toBe(false);
    }),
  );
});
