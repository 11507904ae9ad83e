import { expect, test } from 'vitest';
import { type BuiltQuery, EVERYTHING, type Operator, toCode, toWire } from './query.ts';
import type { Kind } from './values.ts';

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
  where("odd name", "in", ["a", "b"]),
  where("gone", "==", null),
  orderBy("when", 'desc'),
  limit(10),
)`);
});

test('values of every kind are code that the SDK takes', () => {
  const code = (kind: Kind, text: string, op: Operator = 'EQUAL', field = 'f') =>
    toCode({ ...EVERYTHING, conditions: [{ field, op, kind, text }] }, 'c', ROOT).split('\n')[2];
  expect(code('timestamp', '2026-01-31T12:00:00Z')).toBe(
    '  where("f", "==", Timestamp.fromDate(new Date("2026-01-31T12:00:00Z"))),',
  );
  expect(code('reference', 'users/ann')).toBe('  where("f", "==", doc(db, "users/ann")),');
  expect(code('geopoint', '59.9, 10.7')).toBe('  where("f", "==", new GeoPoint(59.9, 10.7)),');
  expect(code('bytes', 'AP8=')).toBe('  where("f", "==", Bytes.fromBase64String("AP8=")),');
  expect(code('double', 'NaN')).toBe('  where("f", "==", NaN),');
  expect(code('integer', '9007199254740993', 'IN')).toBe('  where("f", "in", [9007199254740993]),');
  expect(code('boolean', 'true')).toBe('  where("f", "==", true),');
  expect(code('string', 'c/x', 'GREATER_THAN', '__name__')).toBe(
    '  where(documentId(), ">", doc(db, "c/x")),',
  );
});

test('a condition that is not finished says so', () => {
  const condition = { field: '', op: 'EQUAL', kind: 'string', text: 'x' } as const;
  expect(() => toWire({ ...EVERYTHING, conditions: [condition] }, 'c', ROOT)).toThrow('needs a field');
});
