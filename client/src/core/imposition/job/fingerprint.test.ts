import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueFingerprint } from './fingerprint.ts';

test('values have one fingerprint if and only if they are one text of JSON', () => {
  const few = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
  fc.assert(
    fc.property(few, few, (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      expect(valueFingerprint(one) === valueFingerprint(other)).toBe(same);
      expect(valueFingerprint(JSON.parse(JSON.stringify(one)))).toBe(valueFingerprint(one));
    }),
    {
      numRuns: 500,
      examples: [
        [1, '1'],
        [
          [1, [2]],
          [[1], 2],
        ],
        [[], {}],
        [{ a: [] }, { a: {} }],
        [{ a: 1, b: 2 }, { a: { b: 2 } }],
        [null, false],
        [0, -0],
        ['ab', ['a', 'b']],
      ],
    },
  );
});
