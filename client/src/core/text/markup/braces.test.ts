import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutEnclosed } from './braces.ts';

test('what is enclosed is taken out as an expression would find it', () => {
  const text = fc.array(fc.constantFrom('{', '{{', '}', '}}', 'a', '\n')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (one) => {
      expect(withoutEnclosed(one, '{', '}')).toBe(one.replace(/\{.*?\}/gs, ''));
      expect(withoutEnclosed(one, '{{', '}}')).toBe(one.replace(/\{\{.*?\}\}/gs, ''));
    }),
  );
});

test('a text of openings alone stays as it is', () => {
  const many = '{'.repeat(900_000);
  expect(withoutEnclosed(many, '{', '}')).toBe(many);
  expect(withoutEnclosed(many, '{{', '}}')).toBe(many);
});
