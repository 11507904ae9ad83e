import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moved } from './component-order.ts';

const byOrder = <T extends { order: number }>(all: readonly T[]) =>
  [...all].sort((a, b) => a.order - b.order);

test('a component changes places with its neighbour, whatever the numbers were, and comes back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 8 }),
      fc.nat(7),
      fc.constantFrom(-1, 1),
      (numbers, at, by) => {
        const all = byOrder(numbers.map((order, i) => ({ id: `c${i}`, order })));
        const from = at % all.length;
        const id = all[from]?.id ?? '';
        const changed = new Map(moved(all, id, by).map(({ id: one, order }) => [one, order]));
        const after = byOrder(all.map((one) => ({ ...one, order: changed.get(one.id) ?? one.order })));
        if (from + by < 0 || from + by >= all.length) {
          expect(changed.size).toBe(0);
          return;
        }
        const expected = all.map((one) => one.id);
        expected.splice(from, 1);
        expected.splice(from + by, 0, id);
        expect(after.map((one) => one.id)).toEqual(expected);
        const back = new Map(moved(after, id, by === 1 ? -1 : 1).map((one) => [one.id, one.order]));
        const again = byOrder(after.map((one) => ({ ...one, order: back.get(one.id) ?? one.order })));
        expect(again.map((one) => one.id)).toEqual(all.map((one) => one.id));
      },
    ),
  );
});

test('a component that is not there moves nothing', () => {
  expect(moved([{ id: 'a', order: 0 }], 'b', 1)).toEqual([]);
});
