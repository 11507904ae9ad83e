import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrder } from './in-order.ts';

const cards = (ids: string) => [...ids].map((id) => ({ id }));

test('a shuffled pile goes on without the cards that are deleted, and new ones come last', () => {
  expect(inOrder(cards('abcd'), undefined)).toEqual(cards('abcd'));
  expect(inOrder(cards('abcd'), [...'dbca'])).toEqual(cards('dbca'));
  expect(inOrder(cards('acde'), [...'dbca'])).toEqual(cards('dcae'));
});

test('every card is there once, whatever the order says', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.array(fc.string()), (ids, order) => {
      const shown = inOrder(
        ids.map((id) => ({ id })),
        [...order, ...ids.slice(1), ...order],
      );
      expect(shown.map(({ id }) => id).sort()).toEqual([...ids].sort());
    }),
  );
});
