import type { Database, Firestore } from './database.ts';
import type { DocumentData } from './reference.ts';
import type { WireCursor, WireFilter, WireOrder, WireQuery } from './types.ts';

const INEQUALITIES = new Set([
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'NOT_EQUAL',
  'NOT_IN',
]);

/** A query's parts. */
export interface QuerySpec {
  readonly parent: readonly string[];
  readonly collectionId: string;
  readonly allDescendants: boolean;
  readonly filters: readonly WireFilter[];
  readonly orders: readonly WireOrder[];
  readonly limit: number | undefined;
  readonly startAt: WireCursor | undefined;
  readonly endAt: WireCursor | undefined;
}

/** Documents of a collection, filtered, ordered and cut off. */
export class Query<T = DocumentData> {
  readonly type: 'query' | 'collection' = 'query';
  readonly firestore: Firestore;
  readonly spec: QuerySpec;
  /** The documents' type; never set. */
  declare readonly phantom?: T;

  constructor(firestore: Firestore, spec: QuerySpec) {
    this.firestore = firestore;
    this.spec = spec;
  }

  /** The resource the query runs below. */
  get wireParent(): string {
    const { root } = this.firestore as Database;
    return this.spec.parent.length === 0 ? root : `${root}/${this.spec.parent.join('/')}`;
  }

  /** The orders in force: those asked for, then inequality fields, then the name. */
  get effectiveOrders(): WireOrder[] {
    const orders = [...this.spec.orders];
    const last = orders[orders.length - 1]?.direction ?? 'ASCENDING';
    const fields = inequalityFields(this.spec.filters).sort();
    for (const fieldPath of fields) {
      if (!orders.some((order) => order.field.fieldPath === fieldPath)) {
        orders.push({ field: { fieldPath }, direction: last });
      }
    }
    if (!orders.some((order) => order.field.fieldPath === '__name__')) {
      orders.push({ field: { fieldPath: '__name__' }, direction: last });
    }
    return orders;
  }

  /** The query on the wire. */
  toWire(): WireQuery {
    const { spec } = this;
    const [first] = spec.filters;
    const where: WireFilter | undefined =
      spec.filters.length > 1 ? { compositeFilter: { op: 'AND', filters: [...spec.filters] } } : first;
    return {
      from: [{ collectionId: spec.collectionId, ...(spec.allDescendants && { allDescendants: true }) }],
      ...(where && { where }),
      orderBy: this.effectiveOrders,
      ...(spec.startAt && { startAt: spec.startAt }),
      ...(spec.endAt && { endAt: spec.endAt }),
      ...(spec.limit !== undefined && { limit: spec.limit }),
    };
  }
}

function inequalityFields(filters: readonly WireFilter[]): string[] {
  return filters.flatMap((filter) => {
    if ('compositeFilter' in filter) return inequalityFields(filter.compositeFilter.filters);
    if ('fieldFilter' in filter && INEQUALITIES.has(filter.fieldFilter.op))
      return [filter.fieldFilter.field.fieldPath];
    if ('unaryFilter' in filter && filter.unaryFilter.op.startsWith('IS_NOT'))
      return [filter.unaryFilter.field.fieldPath];
    return [];
  });
}
