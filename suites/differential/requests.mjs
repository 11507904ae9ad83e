/** Random requests of the Firestore REST API. Each is `{ method, path, body }`, `path` below `…/documents`. */

import { COLLECTIONS, FIELDS, fields, IDS, number, scalar, value } from './values.mjs';

const documentPath = (random) => {
  const top = `${random.pick(['alpha', 'beta'])}/${random.pick(IDS)}`;
  return random.chance(0.25) ? `${top}/sub/${random.pick(IDS)}` : top;
};

const post = (verb, body, below = '') => ({ method: 'POST', path: `${below}:${verb}`, body });

function precondition(random) {
  if (random.chance(0.75)) return {};
  return { currentDocument: { exists: random.chance(0.5) } };
}

function transform(random, root) {
  const fieldPath = random.pick(['n', 'list', 'map.x', 'fresh']);
  const list = () => ({ values: Array.from({ length: random.int(1, 3) }, () => scalar(random, root)) });
  return {
    fieldPath,
    ...random.pick([
      () => ({ increment: number(random) }),
      () => ({ maximum: number(random) }),
      () => ({ minimum: number(random) }),
      () => ({ appendMissingElements: list() }),
      () => ({ removeAllFromArray: list() }),
    ])(),
  };
}

function write(random, root) {
  const name = `${root}/${documentPath(random)}`;
  if (random.chance(0.15)) return { delete: name, ...precondition(random) };
  const result = { update: { name, fields: fields(random, root) }, ...precondition(random) };
  if (random.chance(0.4)) result.updateMask = { fieldPaths: random.some(FIELDS, 0, 4) };
  if (random.chance(0.3)) {
    result.updateTransforms = Array.from({ length: random.int(1, 3) }, () => transform(random, root));
  }
  return result;
}

const commit = (random, root) =>
  post('commit', { writes: Array.from({ length: random.int(1, 4) }, () => write(random, root)) });

const FIELD_OPS = [
  'EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'ARRAY_CONTAINS',
];
const LIST_OPS = ['IN', 'NOT_IN', 'ARRAY_CONTAINS_ANY'];
const UNARY_OPS = ['IS_NAN', 'IS_NULL', 'IS_NOT_NAN', 'IS_NOT_NULL'];

function condition(random, root) {
  const field = { fieldPath: random.pick(FIELDS) };
  if (random.chance(0.12)) return { unaryFilter: { field, op: random.pick(UNARY_OPS) } };
  if (random.chance(0.2)) {
    const values = Array.from({ length: random.int(1, 3) }, () => scalar(random, root));
    return { fieldFilter: { field, op: random.pick(LIST_OPS), value: { arrayValue: { values } } } };
  }
  if (random.chance(0.1)) {
    const referenceValue = `${root}/${random.pick(['alpha', 'beta'])}/${random.pick(IDS)}`;
    const op = random.pick(['EQUAL', 'GREATER_THAN', 'LESS_THAN_OR_EQUAL']);
    return { fieldFilter: { field: { fieldPath: '__name__' }, op, value: { referenceValue } } };
  }
  return { fieldFilter: { field, op: random.pick(FIELD_OPS), value: value(random, root) } };
}

function where(random, root, depth = 0) {
  if (depth < 2 && random.chance(0.35)) {
    const filters = Array.from({ length: random.int(1, 3) }, () => where(random, root, depth + 1));
    return { compositeFilter: { op: random.chance(0.6) ? 'AND' : 'OR', filters } };
  }
  return condition(random, root);
}

function orderBy(random) {
  const names = random.some([...FIELDS, '__name__'], 0, 2);
  return names.map((fieldPath) => ({
    field: { fieldPath },
    direction: random.chance(0.5) ? 'ASCENDING' : 'DESCENDING',
  }));
}

function cursor(random, root, orders) {
  const values = orders
    .slice(0, random.int(1, orders.length))
    .map(({ field }) =>
      field.fieldPath === '__name__'
        ? { referenceValue: `${root}/${random.pick(['alpha', 'beta'])}/${random.pick(IDS)}` }
        : value(random, root),
    );
  return { values, before: random.chance(0.5) };
}

export function structuredQuery(random, root) {
  const group = random.chance(0.2);
  const query = {
    from: [
      { collectionId: group ? 'sub' : random.pick(COLLECTIONS), ...(group && { allDescendants: true }) },
    ],
  };
  if (random.chance(0.75)) query.where = where(random, root);
  const orders = random.chance(0.6) ? orderBy(random) : [];
  if (orders.length > 0) {
    query.orderBy = orders;
    if (random.chance(0.3)) query.startAt = cursor(random, root, orders);
    if (random.chance(0.2)) query.endAt = cursor(random, root, orders);
  }
  if (random.chance(0.3)) query.limit = random.int(1, 5);
  if (random.chance(0.1)) query.offset = random.int(1, 3);
  if (random.chance(0.15))
    query.select = { fields: random.some(FIELDS, 0, 3).map((fieldPath) => ({ fieldPath })) };
  return query;
}

const runQuery = (random, root) => post('runQuery', { structuredQuery: structuredQuery(random, root) });

function aggregate(random, root) {
  const aggregations = random.some(
    [
      { alias: 'all', count: {} },
      { alias: 'few', count: { upTo: '2' } },
      { alias: 'sum', sum: { field: { fieldPath: 'n' } } },
      { alias: 'avg', avg: { field: { fieldPath: 'n' } } },
      { alias: 'sumA', sum: { field: { fieldPath: 'a' } } },
    ],
    1,
    5,
  );
  return post('runAggregationQuery', {
    structuredAggregationQuery: { structuredQuery: structuredQuery(random, root), aggregations },
  });
}

function batchGet(random, root) {
  const body = {
    documents: Array.from({ length: random.int(1, 3) }, () => `${root}/${documentPath(random)}`),
  };
  if (random.chance(0.3)) body.mask = { fieldPaths: random.some(FIELDS, 1, 3) };
  return post('batchGet', body);
}

const encode = (path) => path.split('/').map(encodeURIComponent).join('/');

function get(random) {
  const mask = random.chance(0.3) ? `?mask.fieldPaths=${encodeURIComponent(random.pick(FIELDS))}` : '';
  return { method: 'GET', path: `/${encode(documentPath(random))}${mask}` };
}

function list(random) {
  const parameters = new URLSearchParams();
  if (random.chance(0.3)) parameters.set('pageSize', String(random.int(1, 3)));
  const kind = random.next();
  if (kind < 0.3) parameters.set('orderBy', random.pick(['n', 'a desc', '__name__ desc']));
  else if (kind < 0.5) parameters.set('showMissing', 'true');
  return {
    method: 'GET',
    path: `/${random.pick(COLLECTIONS)}?${parameters.toString().replaceAll('+', '%20')}`,
  };
}

const patch = (random, root) => ({
  method: 'PATCH',
  path: `/${encode(documentPath(random))}${random.chance(0.4) ? `?updateMask.fieldPaths=${encodeURIComponent(random.pick(FIELDS))}` : ''}`,
  body: { fields: fields(random, root) },
});

const remove = (random) => ({ method: 'DELETE', path: `/${encode(documentPath(random))}` });

const create = (random, root) => ({
  method: 'POST',
  path: `/${random.pick(['alpha', 'beta'])}?documentId=${encodeURIComponent(random.pick(IDS))}`,
  body: { fields: fields(random, root) },
});

const batchWrite = (random, root) =>
  post('batchWrite', { writes: Array.from({ length: random.int(1, 3) }, () => write(random, root)) });

const collectionIds = (random) =>
  post('listCollectionIds', {}, random.chance(0.5) ? '' : `/${encode(`alpha/${random.pick(IDS)}`)}`);

/** Requests that must be refused, and with which code. */
const wrong = (random, root) =>
  random.pick([
    () => post('commit', { writes: [{ update: { name: `${root}/alpha`, fields: {} } }] }),
    () => post('commit', { writes: [{ update: { name: `${root}/alpha/__x__`, fields: {} } }] }),
    () => post('commit', { writes: [{ update: { name: `${root}/alpha/${'x'.repeat(1501)}`, fields: {} } }] }),
    () => post('commit', { writes: [{ update: { name: `${root}/alpha/..`, fields: {} } }] }),
    () =>
      post('commit', {
        writes: [{ update: { name: `${root}/alpha/1`, fields: { __x__: { integerValue: '1' } } } }],
      }),
    () =>
      post('commit', {
        writes: [{ update: { name: `${root}/alpha/1`, fields: { '': { integerValue: '1' } } } }],
      }),
    () =>
      post('commit', {
        writes: [
          {
            update: {
              name: `${root}/alpha/1`,
              fields: { a: { arrayValue: { values: [{ arrayValue: {} }] } } },
            },
          },
        ],
      }),
    () =>
      post('commit', {
        writes: [{ update: { name: `${root}/alpha/1` }, updateMask: { fieldPaths: ['a..b'] } }],
      }),
    () => post('commit', { writes: [{}] }),
    () => post('batchGet', { documents: [`${root}/alpha`] }),
    () => ({ method: 'GET', path: '/alpha/missing-document' }),
    () => post('runQuery', { structuredQuery: { from: [{ collectionId: 'alpha' }], limit: -1 } }),
    () => post('runQuery', { structuredQuery: { from: [{ collectionId: 'alpha' }], offset: -1 } }),
    () =>
      post('runQuery', {
        structuredQuery: {
          from: [{ collectionId: 'alpha' }],
          where: { fieldFilter: { field: { fieldPath: 'a' }, op: 'IN', value: { integerValue: '1' } } },
        },
      }),
    () =>
      post('runQuery', {
        structuredQuery: {
          from: [{ collectionId: 'alpha' }],
          where: {
            fieldFilter: {
              field: { fieldPath: 'a' },
              op: 'IN',
              value: {
                arrayValue: { values: Array.from({ length: 31 }, (_, n) => ({ integerValue: String(n) })) },
              },
            },
          },
        },
      }),
    () =>
      post('runQuery', {
        structuredQuery: {
          from: [{ collectionId: 'alpha' }],
          orderBy: [{ field: { fieldPath: 'a' } }],
          startAt: { values: [{ integerValue: '1' }, { integerValue: '2' }, { integerValue: '3' }] },
        },
      }),
    () => post('rollback', { transaction: 'AAAA' }),
    () => post('commit', { writes: [], transaction: 'AAAA' }),
    () => post('commit', { writes: [{ delete: 'not a name' }] }),
    () => ({ method: 'POST', path: ':commit', body: { writes: 'nonsense' } }),
    () => ({ method: 'POST', path: ':commit', raw: '{"writes": [' }),
  ])();

const KINDS = [
  [30, commit],
  [30, runQuery],
  [8, aggregate],
  [8, batchGet],
  [4, get],
  [5, list],
  [3, patch],
  [2, remove],
  [2, create],
  [3, batchWrite],
  [2, collectionIds],
  [5, wrong],
];
const TOTAL = KINDS.reduce((sum, [weight]) => sum + weight, 0);

/** The next random request. */
export function request(random, root) {
  let at = random.int(1, TOTAL);
  for (const [weight, make] of KINDS) {
    at -= weight;
    if (at <= 0) return make(random, root);
  }
  throw new Error('the weights do not add up');
}
