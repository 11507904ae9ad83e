import { expect, test } from 'vitest';
import { type BuiltQuery, EVERYTHING, toCode, toWire } from './query.ts';

const ROOT = 'projects/p/databases/(default)/documents';

test('a collection below a document, in the order of names', () => {
  expect(toWire(EVERYTHING, 'users/ann/decks', ROOT)).toEqual({
    parent: `${ROOT}/users/ann`,
    query: {
      from: [{ collectionId: 'decks' }],
      orderBy: [{ field: { fieldPath: '__name__' }, direction: 'ASCENDING' }],
      limit: 50,
    },
  });
});

test('conditions and an order, on the wire and in code', () => {
  const built: BuiltQuery = {
    conditions: [
      { field: 'size', op: 'GREATER_THAN', kind: 'integer', text: '3' },
      { field: 'odd name', op: 'IN', kind: 'string', text: 'a, b' },
      { field: 'gone', op: 'EQUAL', kind: 'null', text: '' },
    ],
    order: { field: 'when', down: true },
    limit: 10,
    group: true,
  };
  const { parent, query } = toWire(built, 'users/ann/decks', ROOT);
  expect(parent).toBe(ROOT);
  expect(query.from).toEqual([{ collectionId: 'decks', allDescendants: true }]);
  expect(query.orderBy?.map(({ field, direction }) => [field.fieldPath, direction])).toEqual([
    ['when', 'DESCENDING'],
    ['size', 'DESCENDING'],
    ['__name__', 'DESCENDING'],
  ]);
  expect(query.where).toEqual({
    compositeFilter: {
      op: 'AND',
      filters: [
        { fieldFilter: { field: { fieldPath: 'size' }, op: 'GREATER_THAN', value: { integerValue: '3' } } },
        {
          fieldFilter: {
            field: { fieldPath: '`odd name`' },
            op: 'IN',
            value: { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } },
          },
        },
        { unaryFilter: { field: { fieldPath: 'gone' }, op: 'IS_NULL' } },
      ],
    },
  });
  expect(toCode(built, 'users/ann/decks', ROOT)).toBe(`query(
  collectionGroup(db, "decks"),
  where("size", ">", 3),
  where("odd name", "in", ["a","b"]),
  where("gone", "==", null),
  orderBy("when", 'desc'),
  limit(10),
)`);
});

test('a condition that is not finished says so', () => {
  const condition = { field: '', op: 'EQUAL', kind: 'string', text: 'x' } as const;
  expect(() => toWire({ ...EVERYTHING, conditions: [condition] }, 'c', ROOT)).toThrow('needs a field');
});
