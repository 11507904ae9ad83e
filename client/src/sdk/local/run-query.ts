import { compareValues, documentOrder, fieldOf, namesOf, rank } from '../firestore/listen/order.ts';
import type {
  WireCursor,
  WireDocument,
  WireFilter,
  WireOrder,
  WireQuery,
  WireValue,
} from '../firestore/types.ts';

/** A query and its place below the root of the database. */
export interface QueryScope {
  /** Path of the document that the collection lies below; empty for the root. */
  readonly parent: string;
  readonly query: WireQuery;
}

/** True if the documents of a collection may belong to a query's result. @param collection its path */
export function covers({ parent, query }: QueryScope, collection: string): boolean {
  const [from] = query.from;
  if (!from) return false;
  const prefix = parent === '' ? '' : `${parent}/`;
  if (!from.allDescendants) return collection === prefix + from.collectionId;
  return collection.startsWith(prefix) && collection.split('/').at(-1) === from.collectionId;
}

/** A query's result among documents of the collections that it covers, in order. */
export function runQuery(documents: Iterable<WireDocument>, query: WireQuery): WireDocument[] {
  const orders = query.orderBy ?? [];
  const found = membersOf(documents, query).sort(documentOrder(orders));
  const { startAt, endAt } = query;
  const cut = found.filter((document) => {
    if (startAt && isBefore(document, startAt, orders, !startAt.before)) return false;
    return !endAt || isBefore(document, endAt, orders, !endAt.before);
  });
  return query.limit === undefined ? cut : cut.slice(0, query.limit);
}

/** The same in any order, where that is faster. */
export function runUnordered(documents: Iterable<WireDocument>, query: WireQuery): WireDocument[] {
  const isCut = query.limit !== undefined || query.startAt !== undefined || query.endAt !== undefined;
  return isCut ? runQuery(documents, query) : membersOf(documents, query);
}

/** The documents that a query's conditions hold for, and that have the fields that it orders by. */
function membersOf(documents: Iterable<WireDocument>, { where, orderBy = [] }: WireQuery): WireDocument[] {
  const fields = orderBy.flatMap(({ field: { fieldPath } }) =>
    fieldPath === '__name__' ? [] : [namesOf(fieldPath)],
  );
  return [...documents].filter(
    (document) =>
      (!where || matches(document, where)) && fields.every((names) => fieldOf(document, names) !== undefined),
  );
}

/** True if a document comes before a cursor's place. @param inclusive counts documents at the place itself too */
function isBefore(
  document: WireDocument,
  { values }: WireCursor,
  orders: readonly WireOrder[],
  inclusive: boolean,
): boolean {
  for (const [i, value] of values.entries()) {
    const order = orders[i];
    const own = order && valueAt(document, order.field.fieldPath);
    if (!order || !own) break;
    const compared = compareValues(own, value) * (order.direction === 'DESCENDING' ? -1 : 1);
    if (compared !== 0) return compared < 0;
  }
  return inclusive;
}

function valueAt(document: WireDocument, fieldPath: string): WireValue | undefined {
  return fieldPath === '__name__' ? { referenceValue: document.name } : fieldOf(document, namesOf(fieldPath));
}

const isNull = (value: WireValue): boolean => 'nullValue' in value;
const isNan = (value: WireValue): boolean =>
  'doubleValue' in value && Number.isNaN(Number(value.doubleValue));
const elementsOf = (value: WireValue): readonly WireValue[] =>
  'arrayValue' in value ? (value.arrayValue.values ?? []) : [];
const has = (values: readonly WireValue[], value: WireValue): boolean =>
  values.some((one) => compareValues(one, value) === 0);

function matches(document: WireDocument, filter: WireFilter): boolean {
  if ('compositeFilter' in filter) {
    const { op, filters } = filter.compositeFilter;
    const one = (inner: WireFilter) => matches(document, inner);
    return op === 'OR' ? filters.some(one) : filters.every(one);
  }
  if ('unaryFilter' in filter) {
    const { op, field } = filter.unaryFilter;
    const value = valueAt(document, field.fieldPath);
    if (value === undefined) return false;
    const holds = op.endsWith('NAN') ? isNan(value) : isNull(value);
    return holds !== op.startsWith('IS_NOT');
  }
  const { op, field, value } = filter.fieldFilter;
  const own = valueAt(document, field.fieldPath);
  return own !== undefined && compares(own, op, value);
}

function compares(own: WireValue, op: string, value: WireValue): boolean {
  switch (op) {
    case 'EQUAL':
      return compareValues(own, value) === 0;
    case 'NOT_EQUAL':
      return !isNull(own) && compareValues(own, value) !== 0;
    case 'IN':
      return has(elementsOf(value), own);
    case 'NOT_IN':
      return !isNull(own) && !elementsOf(value).some(isNull) && !has(elementsOf(value), own);
    case 'ARRAY_CONTAINS':
      return has(elementsOf(own), value);
    case 'ARRAY_CONTAINS_ANY':
      return elementsOf(value).some((one) => has(elementsOf(own), one));
    default:
      break;
  }
  // Values of other types are never in a range.
  if (rank(own) !== rank(value) || isNan(own) !== isNan(value)) return false;
  const compared = compareValues(own, value);
  switch (op) {
    case 'LESS_THAN':
      return compared < 0;
    case 'LESS_THAN_OR_EQUAL':
      return compared <= 0;
    case 'GREATER_THAN':
      return compared > 0;
    default:
      return compared >= 0;
  }
}
