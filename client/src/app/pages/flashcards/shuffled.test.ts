import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { shuffled } from './shuffled.ts';

it('holds every number once', () => {
  fc.assert(
    fc.property(
      fc.nat(200),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (count, stream) => {
        const order = shuffled(count, () => stream.next().value);
        expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
      },
    ),
  );
});

it('gives every order of three the same chance', () => {
  const seen = new Map<string, number>();
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 2; b++) {
      const draws = [(a + 0.5) / 3, (b + 0.5) / 2];
      const order = shuffled(3, () => draws.shift() ?? 0).join('');
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
  }
  expect([...seen.values()]).toEqual([1, 1, 1, 1, 1, 1]);
});
