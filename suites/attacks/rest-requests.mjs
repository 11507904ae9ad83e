// Every way to a document that the REST wire has, as requests by somebody who may not have it.
import { encodeFields, ROOT } from './world.mjs';

const parentOf = (path) => path.split('/').slice(0, -2).join('/');
const collectionOf = (path) => path.split('/').at(-2);
const below = (parent) => (parent ? `${ROOT}/${parent}` : ROOT);
const name = (path) => `${ROOT}/${path}`;
const isName = (path) => ({
  fieldFilter: { field: { fieldPath: '__name__' }, op: 'EQUAL', value: { referenceValue: name(path) } },
});
const post = (path, body) => ({ method: 'POST', path: `/v1/${path}`, body });
const commit = (...writes) => post(`${ROOT}:commit`, { writes });
const overwrite = (path) => ({ update: { name: name(path), fields: encodeFields({ by: 'an attacker' }) } });

/** By its name. */
export function guesses(path) {
  const document = { name: name(path) };
  return [
    { method: 'GET', path: `/v1/${name(path)}` },
    { method: 'GET', path: `/v1/${name(path)}?mask.fieldPaths=name` },
    post(`${ROOT}:batchGet`, { documents: [name(path)] }),
    post(`${ROOT}:batchGet`, { documents: [name(path)], mask: { fieldPaths: ['__name__'] } }),
    { method: 'GET', path: `/v1/${below(parentOf(path))}/${collectionOf(path)}` },
    { method: 'GET', path: `/v1/${below(parentOf(path))}/${collectionOf(path)}?showMissing=true` },
    post(`${name(path)}:listCollectionIds`, {}),
    commit(overwrite(path)),
    commit({ ...overwrite(path), updateMask: { fieldPaths: ['by'] } }),
    commit({ delete: name(path) }),
    commit({
      transform: {
        document: name(path),
        fieldTransforms: [{ fieldPath: 'n', increment: { integerValue: '1' } }],
      },
    }),
    post(`${ROOT}:batchWrite`, { writes: [overwrite(path)] }),
    {
      method: 'PATCH',
      path: `/v1/${name(path)}`,
      body: { ...document, fields: encodeFields({ by: 'an attacker' }) },
    },
    { method: 'DELETE', path: `/v1/${name(path)}` },
    post(`${below(parentOf(path))}/${collectionOf(path)}?documentId=${path.split('/').at(-1)}`, {
      fields: {},
    }),
  ];
}

const counted = (structuredQuery) => ({
  structuredAggregationQuery: { structuredQuery, aggregations: [{ alias: 'n', count: {} }] },
});

function run(parent, query) {
  return [
    post(`${below(parent)}:runQuery`, { structuredQuery: query }),
    post(`${below(parent)}:runQuery`, {
      structuredQuery: { ...query, limit: 1 },
      explainOptions: { analyze: true },
    }),
    post(`${below(parent)}:runQuery`, {
      structuredQuery: { ...query, select: { fields: [{ fieldPath: '__name__' }] } },
    }),
    post(`${below(parent)}:runQuery`, { structuredQuery: { ...query, offset: 1 } }),
    post(`${below(parent)}:runAggregationQuery`, counted(query)),
    post(`${below(parent)}:partitionQuery`, { structuredQuery: query, partitionCount: '2' }),
  ];
}

/** By a query over its collection: of all, or of its name alone. */
export function queries(path) {
  const from = [{ collectionId: collectionOf(path) }];
  return [{ from }, { from, where: isName(path) }].flatMap((query) => run(parentOf(path), query));
}

/** By a query over all collections of that name, or over everything there is below a place. */
export function groups(path) {
  const from = [{ collectionId: collectionOf(path), allDescendants: true }];
  const all = [{ allDescendants: true }];
  return [
    ...run('', { from }),
    ...run('', { from, where: isName(path) }),
    ...run(parentOf(path), { from }),
    ...run('', { from: all }),
    ...run(parentOf(path), { from: all }),
  ];
}

/** In a transaction, given one that is open, and by what its outcome could tell. */
export function transactions(path, transaction, own) {
  const read = [{ collectionId: collectionOf(path) }];
  const mine = { update: { name: name(own), fields: {} } };
  const fits = { exists: true };
  return [
    post(`${ROOT}:batchGet`, { documents: [name(path)], transaction }),
    post(`${ROOT}:batchGet`, { documents: [name(path)], newTransaction: { readOnly: {} } }),
    post(`${below(parentOf(path))}:runQuery`, { structuredQuery: { from: read }, transaction }),
    post(`${below(parentOf(path))}:runAggregationQuery`, { ...counted({ from: read }), transaction }),
    commit({ ...overwrite(path), currentDocument: fits }),
    commit({ delete: name(path), currentDocument: fits }),
    commit({ verify: name(path), currentDocument: fits }),
    commit(mine, { verify: name(path), currentDocument: fits }),
    commit(mine, { verify: name(path), currentDocument: { updateTime: '2020-01-01T00:00:00Z' } }),
    commit(mine, overwrite(path)),
  ];
}

/** The requests of a listener on the document, and of one on its collection. */
export function listeners(path, more = {}) {
  const target = (what) => ({ addTarget: { targetId: 1, ...what, ...more } });
  const query = (structuredQuery, parent) => ({ query: { parent: below(parent), structuredQuery } });
  const collectionId = collectionOf(path);
  return [
    target({ documents: { documents: [name(path)] } }),
    target(query({ from: [{ collectionId }] }, parentOf(path))),
    target(query({ from: [{ collectionId, allDescendants: true }] }, '')),
  ].map((body) => post(`${ROOT}:listen`, body));
}
