import { encodeValue } from './codec.ts';
import type { Database, Firestore } from './database.ts';
import { FirestoreError } from './error.ts';
import { type FieldPath, toFieldPath } from './path.ts';
import { Query, type QuerySpec } from './query-core.ts';
import { DocumentReference } from './reference.ts';
import { DocumentSnapshot } from './snapshot.ts';
import type { WireFilter } from './types.ts';

/** Comparison operators of `where`. */
export type WhereFilterOp =
  | '<'
  | '<='
  | '=='
  | '!='
  | '>='
  | '>'
  | 'array-contains'
  | 'in'
  | 'array-contains-any'
  | 'not-in';

const OPERATORS: Readonly<Record<WhereFilterOp, string>> = {
  '<': 'LESS_THAN',
  '<=': 'LESS_THAN_OR_EQUAL',
  '==': 'EQUAL',
  '!=': 'NOT_EQUAL',
  '>=': 'GREATER_THAN_OR_EQUAL',
  '>': 'GREATER_THAN',
  'array-contains': 'ARRAY_CONTAINS',
  in: 'IN',
  'array-contains-any': 'ARRAY_CONTAINS_ANY',
  'not-in': 'NOT_IN',
};

/** One clause of `query`. */
export interface QueryConstraint {
  apply(spec: QuerySpec, database: Database): QuerySpec;
}

/** A query narrowed by clauses. */
export function query<T>(base: Query<T>, ...constraints: QueryConstraint[]): Query<T> {
  const database = base.firestore as Database;
  const spec = constraints.reduce((built, constraint) => constraint.apply(built, database), base.spec);
  return new Query<T>(base.firestore, spec);
}

/** Every collection of that id, wherever it is. */
export function collectionGroup(firestore: Firestore, collectionId: string): Query {
  return new Query(firestore, {
    parent: [],
    collectionId,
    allDescendants: true,
    filters: [],
    orders: [],
    limit: undefined,
    startAt: undefined,
    endAt: undefined,
  });
}

function nameValue(spec: QuerySpec, database: Database, value: unknown): DocumentReference {
  if (value instanceof DocumentReference) return value;
  if (typeof value !== 'string' || value === '') {
    throw new FirestoreError(
      'invalid-argument',
      'A document id must be a string that is not empty, or a reference.',
    );
  }
  const segments = spec.allDescendants
    ? value.split('/')
    : [...spec.parent, spec.collectionId, ...value.split('/')];
  return new DocumentReference(database, segments);
}

/** Keeps the documents whose field compares so. */
export function where(field: string | FieldPath, op: WhereFilterOp, value: unknown): QueryConstraint {
  return {
    apply(spec, database) {
      const fieldPath = toFieldPath(field).canonical();
      return { ...spec, filters: [...spec.filters, filterFor(spec, database, fieldPath, op, value)] };
    },
  };
}

function filterFor(
  spec: QuerySpec,
  database: Database,
  fieldPath: string,
  op: WhereFilterOp,
  value: unknown,
): WireFilter {
  const field = { fieldPath };
  if (op === '==' || op === '!=') {
    const not = op === '==' ? 'IS_' : 'IS_NOT_';
    if (value === null) return { unaryFilter: { field, op: `${not}NULL` } };
    if (typeof value === 'number' && Number.isNaN(value)) return { unaryFilter: { field, op: `${not}NAN` } };
  }
  const isName = fieldPath === '__name__';
  const operand = isName
    ? Array.isArray(value)
      ? value.map((one) => nameValue(spec, database, one))
      : nameValue(spec, database, value)
    : value;
  if ((op === 'in' || op === 'not-in' || op === 'array-contains-any') && !Array.isArray(operand)) {
    throw new FirestoreError('invalid-argument', `"${op}" compares with an array.`);
  }
  return { fieldFilter: { field, op: OPERATORS[op], value: encodeValue(database, operand, fieldPath) } };
}

/** Orders by a field. */
export function orderBy(field: string | FieldPath, direction: 'asc' | 'desc' = 'asc'): QueryConstraint {
  return {
    apply: (spec) => ({
      ...spec,
      orders: [
        ...spec.orders,
        {
          field: { fieldPath: toFieldPath(field).canonical() },
          direction: direction === 'asc' ? 'ASCENDING' : 'DESCENDING',
        },
      ],
    }),
  };
}

/** Keeps the first `count` documents. */
export function limit(count: number): QueryConstraint {
  if (!Number.isInteger(count) || count < 1) {
    throw new FirestoreError('invalid-argument', `limit() takes a whole number above 0, not ${count}.`);
  }
  return { apply: (spec) => ({ ...spec, limit: count }) };
}

function cursor(which: 'startAt' | 'endAt', before: boolean, values: unknown[]): QueryConstraint {
  return {
    apply(spec, database) {
      const orders = new Query(database, spec).effectiveOrders;
      const [first] = values;
      const list =
        first instanceof DocumentSnapshot
          ? orders.map((order) => cursorValue(first, order.field.fieldPath))
          : values.map((value, i) =>
              orders[i]?.field.fieldPath === '__name__' ? nameValue(spec, database, value) : value,
            );
      const encoded = {
        values: list.map((value, i) => encodeValue(database, value, `cursor[${i}]`)),
        before,
      };
      return { ...spec, ...(first instanceof DocumentSnapshot && { orders }), [which]: encoded };
    },
  };
}

function cursorValue(snapshot: DocumentSnapshot, fieldPath: string): unknown {
  if (fieldPath === '__name__') return snapshot.ref;
  const value = snapshot.get(fieldPath);
  if (value === undefined) {
    throw new FirestoreError('invalid-argument', `The cursor's document has no field "${fieldPath}".`);
  }
  return value;
}

/** Starts with these values (or this document). */
export const startAt = (...values: unknown[]): QueryConstraint => cursor('startAt', true, values);
/** Starts after these values (or this document). */
export const startAfter = (...values: unknown[]): QueryConstraint => cursor('startAt', false, values);
/** Ends with these values (or this document). */
export const endAt = (...values: unknown[]): QueryConstraint => cursor('endAt', false, values);
/** Ends before these values (or this document). */
export const endBefore = (...values: unknown[]): QueryConstraint => cursor('endAt', true, values);
