/** A query as it is put together in the page, and as the wire and the SDK have it. */

import type { WireFilter, WireOrder, WireQuery, WireValue } from '../../sdk/firestore/types.ts';
import { BadValue, fromText, type Kind, toJson } from './values.ts';
import { fieldPath } from './writes.ts';

/** Comparisons, as people read them. */
export const OPERATORS = {
  EQUAL: '==',
  NOT_EQUAL: '!=',
  LESS_THAN: '<',
  LESS_THAN_OR_EQUAL: '<=',
  GREATER_THAN: '>',
  GREATER_THAN_OR_EQUAL: '>=',
  ARRAY_CONTAINS: 'array-contains',
  ARRAY_CONTAINS_ANY: 'array-contains-any',
  IN: 'in',
  NOT_IN: 'not-in',
} as const;

export type Operator = keyof typeof OPERATORS;

/** Those whose value is a list. */
const LISTS: readonly Operator[] = ['ARRAY_CONTAINS_ANY', 'IN', 'NOT_IN'];
/** Those that order the results by their field. */
const INEQUALITIES: readonly Operator[] = [
  'NOT_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'NOT_IN',
];

/** One condition. */
export interface Condition {
  readonly field: string;
  readonly op: Operator;
  readonly kind: Kind;
  readonly text: string;
}

/** State of the query bar. */
export interface BuiltQuery {
  readonly conditions: readonly Condition[];
  readonly order: { readonly field: string; readonly down: boolean } | undefined;
  readonly limit: number;
  /** All collections with the id, wherever they lie. */
  readonly group: boolean;
}

/** Most documents a page shows at first, and may show. */
export const FIRST_LIMIT = 50;
export const MOST_LIMIT = 500;

export const EVERYTHING: BuiltQuery = { conditions: [], order: undefined, limit: FIRST_LIMIT, group: false };

/** True if the query leaves nothing out. */
export function isEverything({ conditions, order, group }: BuiltQuery): boolean {
  return conditions.length === 0 && order === undefined && !group;
}

/** `a.b` as names; a name with odd characters stands between backquotes. */
export function namesOf(field: string): string[] {
  if (field === '__name__') return [field];
  const names = [...field.matchAll(/`((?:[^`\\]|\\.)*)`|([^.`]+)/g)];
  return names.map(([, quoted, plain]) => plain ?? (quoted ?? '').replace(/\\(.)/g, '$1'));
}

function operand({ op, kind, text }: Condition, root: string): WireValue {
  if (!LISTS.includes(op)) return fromText(kind, text, root);
  const parts = text.split(',').map((part) => part.trim());
  if (text.trim() === '') throw new BadValue(`${OPERATORS[op]} needs values, with commas between them.`);
  return { arrayValue: { values: parts.map((part) => fromText(kind, part, root)) } };
}

function filter(condition: Condition, root: string): WireFilter {
  const { field, op, kind } = condition;
  if (field.trim() === '') throw new BadValue('A condition needs a field.');
  const path = { fieldPath: fieldPath(namesOf(field)) };
  if (kind === 'null' && (op === 'EQUAL' || op === 'NOT_EQUAL')) {
    return { unaryFilter: { field: path, op: op === 'EQUAL' ? 'IS_NULL' : 'IS_NOT_NULL' } };
  }
  const value =
    field === '__name__' && !LISTS.includes(op)
      ? fromText('reference', condition.text, root)
      : operand(field === '__name__' ? { ...condition, kind: 'reference' } : condition, root);
  return { fieldFilter: { field: path, op, value } };
}

/** The orders as the database has them: what is not said is added. */
function orders({ conditions, order }: BuiltQuery): WireOrder[] {
  const direction = order?.down ? 'DESCENDING' : 'ASCENDING';
  const said = order ? [fieldPath(namesOf(order.field))] : [];
  const compared = conditions
    .filter(({ op, kind }) => INEQUALITIES.includes(op) && !(kind === 'null' && op === 'EQUAL'))
    .map(({ field }) => fieldPath(namesOf(field)))
    .sort();
  const fields = new Set([...said, ...compared, '__name__']);
  return [...fields].map((field) => ({ field: { fieldPath: field }, direction }));
}

/** The query for a collection, as the wire has it. */
export function toWire(
  built: BuiltQuery,
  collection: string,
  root: string,
): { parent: string; query: WireQuery } {
  const cut = collection.lastIndexOf('/');
  const parent = cut < 0 || built.group ? root : `${root}/${collection.slice(0, cut)}`;
  const filters = built.conditions.map((condition) => filter(condition, root));
  const [first] = filters;
  const where = filters.length > 1 ? { compositeFilter: { op: 'AND' as const, filters } } : first;
  return {
    parent,
    query: {
      from: [{ collectionId: collection.slice(cut + 1), ...(built.group && { allDescendants: true }) }],
      ...(where && { where }),
      orderBy: orders(built),
      limit: built.limit,
    },
  };
}

/** A value as a program writes it down for the SDK. */
function sourceOf(value: WireValue): string {
  const text = (said: unknown) => JSON.stringify(said);
  if ('timestampValue' in value) return `Timestamp.fromDate(new Date(${text(value.timestampValue)}))`;
  if ('bytesValue' in value) return `Bytes.fromBase64String(${text(value.bytesValue)})`;
  if ('referenceValue' in value) {
    return `doc(db, ${text(value.referenceValue.split('/documents/')[1] ?? value.referenceValue)})`;
  }
  if ('geoPointValue' in value) {
    const { latitude = 0, longitude = 0 } = value.geoPointValue;
    return `new GeoPoint(${latitude}, ${longitude})`;
  }
  if ('integerValue' in value) return String(value.integerValue);
  if ('doubleValue' in value) return String(Number(value.doubleValue));
  if ('arrayValue' in value) return `[${(value.arrayValue.values ?? []).map(sourceOf).join(', ')}]`;
  return text(toJson(value));
}

/** The same query as a program would ask it with the SDK. */
export function toCode(built: BuiltQuery, collection: string, root: string): string {
  const text = (value: unknown) => JSON.stringify(value);
  const id = collection.slice(collection.lastIndexOf('/') + 1);
  const source = built.group ? `collectionGroup(db, ${text(id)})` : `collection(db, ${text(collection)})`;
  const where = built.conditions.map((condition) => {
    const ofName = condition.field === '__name__';
    const value = operand(ofName ? { ...condition, kind: 'reference' } : condition, root);
    const field = ofName ? 'documentId()' : text(condition.field);
    return `where(${field}, ${text(OPERATORS[condition.op])}, ${sourceOf(value)})`;
  });
  const order = built.order
    ? [`orderBy(${text(built.order.field)}${built.order.down ? ", 'desc'" : ''})`]
    : [];
  const parts = [source, ...where, ...order, `limit(${built.limit})`];
  return `query(\n${parts.map((part) => `  ${part},`).join('\n')}\n)`;
}
