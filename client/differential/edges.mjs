/**
 * Requests on either side of every limit of what is written: `{ method, path, body }`, sent once in every run. They have a
 * collection to themselves, so that the random queries do not read its large documents.
 */

const commit = (writes) => ({ method: 'POST', path: ':commit', body: { writes } });

const NULL = { nullValue: null };
const map = (fields) => ({ mapValue: { fields } });
const list = (values) => ({ arrayValue: { values } });

/** `levels` of maps, or of maps and lists in turns, around `innermost`. */
function nested(levels, innermost, lists) {
  let value = innermost;
  for (let level = 0; level < levels; level++) {
    value = lists && level % 2 === 1 ? list([value]) : map({ m: value });
  }
  return value;
}

/** Nesting goes to 20 levels; the value inside adds none, a map without fields is one, a list without values is none. */
function nesting(root) {
  const insides = [NULL, { stringValue: 's' }, { mapValue: {} }, { arrayValue: {} }];
  return [18, 19, 20, 21, 22].flatMap((levels) =>
    insides.flatMap((inside) =>
      [false, true]
        // A list may not lie in a list.
        .filter((lists) => !(lists && inside.arrayValue && levels % 2 === 0))
        .map((lists) =>
          commit([
            { update: { name: `${root}/edges/nested`, fields: { m: nested(levels, inside, lists) } } },
          ]),
        ),
    ),
  );
}

/** A document takes 500 transforms in one commit, whatever writes they come in. */
function transforms(root) {
  const write = (id, count) => ({
    update: { name: `${root}/edges/${id}` },
    updateMask: { fieldPaths: [] },
    updateTransforms: Array.from({ length: count }, () => ({
      fieldPath: 'n',
      increment: { integerValue: '1' },
    })),
  });
  return [
    commit([write('c500', 500)]),
    commit([write('c501', 501)]),
    commit([write('c250', 250), write('c250', 250)]),
    commit([write('c251', 250), write('c251', 251)]),
    commit([write('c300', 300), write('d300', 300)]),
  ];
}

/** Ids and names of fields have 1,500 bytes; a field path has as many. */
function names(root) {
  const set = (id, field) => commit([{ update: { name: `${root}/edges/${id}`, fields: { [field]: NULL } } }]);
  return [
    set('x'.repeat(1500), 'a'),
    set('x'.repeat(1501), 'a'),
    set('é'.repeat(750), 'a'),
    set('é'.repeat(751), 'a'),
    set('named', 'x'.repeat(1500)),
    set('named', 'x'.repeat(1501)),
    set('named', 'é'.repeat(751)),
  ];
}

/** The largest values and documents. */
function sizes(root) {
  const set = (id, fields) => commit([{ update: { name: `${root}/edges/${id}`, fields } }]);
  const text = (bytes) => ({ stringValue: 'x'.repeat(bytes) });
  const MAX_VALUE = 1_048_487;
  // What a document counts beside its two values: 16 and its name's segments, the names of the fields, 32 for itself, and
  // each name and value one byte more.
  const beside = 16 + 'edges/'.length + 'large/'.length + 2 * ('a'.length + 1 + 1) + 32;
  const both = (bytes) => set('large', { a: text(500_000), b: text(bytes - beside - 500_000) });
  return [
    set('l', { a: text(MAX_VALUE) }),
    set('l', { a: text(MAX_VALUE + 1) }),
    both(1_048_576),
    both(1_048_577),
  ];
}

/** What is between two pairs of underscores is reserved; four of them alone have nothing between. */
function reserved(root) {
  return ['___', '____', '_____', '__a__', '__a_'].flatMap((name) => [
    commit([{ update: { name: `${root}/edges/${name}` } }]),
    commit([{ update: { name: `${root}/${name}/edge` } }]),
    commit([{ update: { name: `${root}/edges/named`, fields: { [name]: NULL } } }]),
    { method: 'GET', path: `/edges/${name}` },
  ]);
}

/** Collection groups below a document, by name and in other orders. */
function below(root) {
  const numbers = [3, 1, 2];
  const writes = numbers.map((n) => ({
    update: { name: `${root}/edges/top/low/${n}/deep/d`, fields: { n: { integerValue: String(9 - n) } } },
  }));
  const field = { fieldPath: 'n' };
  const from = [{ collectionId: 'deep', allDescendants: true }];
  const ask = (rest) => ({
    method: 'POST',
    path: '/edges/top:runQuery',
    body: { structuredQuery: { from, ...rest } },
  });
  const more = { fieldFilter: { field, op: 'GREATER_THAN', value: { integerValue: '6' } } };
  const structuredQuery = { from };
  const aggregations = [{ alias: 'sum', sum: { field } }];
  return [
    commit(writes),
    ask({}),
    ask({ limit: 2 }),
    ask({ orderBy: [{ field }] }),
    ask({ orderBy: [{ field, direction: 'DESCENDING' }] }),
    ask({ where: more }),
    {
      method: 'POST',
      path: '/edges/top:runAggregationQuery',
      body: { structuredAggregationQuery: { structuredQuery, aggregations } },
    },
  ];
}

/** @param {string} root `…/documents` */
export const edges = (root) =>
  [nesting, transforms, names, sizes, reserved, below].flatMap((make) => make(root));
