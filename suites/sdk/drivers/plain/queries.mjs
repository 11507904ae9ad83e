/** The suite's queries as the REST interface writes them. */

import { encode, Reference } from './values.mjs';

const OPERATORS = {
  '==': 'EQUAL',
  '!=': 'NOT_EQUAL',
  '<': 'LESS_THAN',
  '<=': 'LESS_THAN_OR_EQUAL',
  '>': 'GREATER_THAN',
  '>=': 'GREATER_THAN_OR_EQUAL',
  in: 'IN',
  'not-in': 'NOT_IN',
  'array-contains': 'ARRAY_CONTAINS',
  'array-contains-any': 'ARRAY_CONTAINS_ANY',
};

/** Operators for null and NaN take no value. */
const UNARY = { EQUAL: 'IS', NOT_EQUAL: 'IS_NOT' };

/** A document as a cursor. */
export class Snapshot {
  constructor(path, fields) {
    Object.assign(this, { path, fields });
  }

  /** Its value of a field, as the interface writes it. */
  value(field) {
    const steps = field.split('.');
    const last = steps.pop();
    return steps.reduce((fields, step) => fields[step].mapValue.fields, this.fields)[last];
  }
}

/** The parent and the `structuredQuery` of `{ collection | group, where, or, orderBy, limit, startAt, … }`. */
export function structured(spec, root) {
  const path = spec.group ?? spec.collection;
  const steps = path.split('/');
  const from = { collectionId: steps.pop(), allDescendants: spec.group !== undefined };
  const parent = [root, ...steps].join('/');
  const filter = ([field, operator, value]) => test(field, OPERATORS[operator], value, path, root);
  const filters = (spec.where ?? []).map(filter);
  if (spec.or) filters.push(composite('OR', spec.or.map(filter)));
  const query = { from: [from], orderBy: orders(spec) };
  if (filters.length > 0) query.where = filters.length > 1 ? composite('AND', filters) : filters[0];
  if (spec.limit !== undefined) query.limit = spec.limit;
  const cursor = (values, before) => ({ values: bound(values, query.orderBy, root), before });
  if (spec.startAt) query.startAt = cursor(spec.startAt, true);
  if (spec.startAfter) query.startAt = cursor(spec.startAfter, false);
  if (spec.endAt) query.endAt = cursor(spec.endAt, false);
  if (spec.endBefore) query.endAt = cursor(spec.endBefore, true);
  return { parent, query };
}

const composite = (op, filters) => ({ compositeFilter: { op, filters } });

function test(fieldPath, op, value, collection, root) {
  const field = { fieldPath };
  const empty = value === null ? 'NULL' : Number.isNaN(value) ? 'NAN' : undefined;
  if (empty && UNARY[op]) return { unaryFilter: { field, op: `${UNARY[op]}_${empty}` } };
  const named = (id) => new Reference(`${collection}/${id}`);
  const names = () => (Array.isArray(value) ? value.map(named) : named(value));
  const sought = fieldPath === '__name__' ? names() : value;
  return { fieldFilter: { field, op, value: encode(sought, root) } };
}

/** The orders; a document as a cursor needs its name among them. */
function orders(spec) {
  const orderBy = (spec.orderBy ?? []).map(([fieldPath, direction]) => ({
    field: { fieldPath },
    direction: direction === 'desc' ? 'DESCENDING' : 'ASCENDING',
  }));
  const bounds = [spec.startAt, spec.startAfter, spec.endAt, spec.endBefore].flat();
  if (!bounds.some((value) => value instanceof Snapshot)) return orderBy;
  return [...orderBy, { field: { fieldPath: '__name__' }, direction: orderBy.at(-1)?.direction }];
}

function bound(values, orderBy, root) {
  const [first] = values;
  if (!(first instanceof Snapshot)) return values.map((value) => encode(value, root));
  return orderBy.map(({ field: { fieldPath } }) =>
    fieldPath === '__name__' ? encode(new Reference(first.path), root) : first.value(fieldPath),
  );
}
