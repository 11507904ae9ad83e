/**
 * Requests on either side of every limit of what is written: `{ method, path, body }`, sent once in every run. They have a
 * collection to themselves, so that the random queries do not read its large documents.
 */

const commit = (writes) => ({ method: 'POST', path: ':commit', body: { writes } });

const NULL = { nullValue: null };
const map = (fields) => ({ mapValue: { fields } });
const list = (values) => ({ arrayValue: { values } });

/** `levels` of maps, or of maps and lists alternating, around `innermost`. */
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
  // Bytes that a document's size has beside its two values: 16 and the segments of its name, the field names, 32 for
  // the document, and one byte for each name and value.
  const beside = 16 + 'edges/'.length + 'large/'.length + 2 * ('a'.length + 1 + 1) + 32;
  const both = (bytes) => set('large', { a: text(500_000), b: text(bytes - beside - 500_000) });
  return [
    set('l', { a: text(MAX_VALUE) }),
    set('l', { a: text(MAX_VALUE + 1) }),
    both(1_048_576),
    both(1_048_577),
  ];
}

/** Ids between two pairs of underscores are reserved; four underscores alone have nothing between them. */
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

/** Filters compare with values of up to 1,500 bytes. */
function compared(root) {
  const field = { fieldPath: 'n' };
  const text = (bytes) => ({ stringValue: 'x'.repeat(bytes - 1) });
  const bytes = (count) => ({ bytesValue: Buffer.alloc(count).toString('base64') });
  const ask = (where, order) => ({
    method: 'POST',
    path: ':runQuery',
    body: { structuredQuery: { from: [{ collectionId: 'compared' }], where, ...order } },
  });
  const asks = (op, value) => ask({ fieldFilter: { field, op, value } });
  const one = { integerValue: '1' };
  const values = [1500, 1501].flatMap((size) => [
    text(size),
    bytes(size),
    { stringValue: 'é'.repeat(Math.floor((size - 1) / 2)) },
    map({ k: text(size - 2) }),
    list([text(size - 8), one]),
    { referenceValue: `${root}/compared/${'x'.repeat(size - 16 - 'compared/'.length - 1)}` },
  ]);
  const vector = (size) =>
    map({
      __type__: { stringValue: '__vector__' },
      value: list(Array.from({ length: size }, () => ({ doubleValue: 1.5 }))),
    });
  const ops = ['EQUAL', 'NOT_EQUAL', 'LESS_THAN', 'GREATER_THAN_OR_EQUAL', 'ARRAY_CONTAINS'];
  return [
    ...values.flatMap((value) => ops.map((op) => asks(op, value))),
    ...[vector(187), vector(188)].map((value) => asks('EQUAL', value)),
    ...[text(1500), text(1501)].flatMap((value) =>
      ['IN', 'NOT_IN', 'ARRAY_CONTAINS_ANY'].map((op) => asks(op, list([value, one]))),
    ),
    ...[text(1500), text(1501)].map((value) =>
      ask(undefined, { orderBy: [{ field }], startAt: { values: [value] } }),
    ),
  ];
}

/** Cursors with as many values as the query has orders, and with one more; what `__name__` is compared with. */
function positions(root) {
  const at = (...values) => ({ values });
  const one = { integerValue: '1' };
  const name = { referenceValue: `${root}/compared/named` };
  const field = (fieldPath) => ({ field: { fieldPath } });
  const ask = (query) => ({
    method: 'POST',
    path: ':runQuery',
    body: { structuredQuery: { from: [{ collectionId: 'compared' }], ...query } },
  });
  const more = { fieldFilter: { ...field('n'), op: 'GREATER_THAN', value: one } };
  const unary = ['IS_NULL', 'IS_NAN', 'IS_NOT_NULL', 'IS_NOT_NAN'];
  const held = [NULL, { doubleValue: 'NaN' }, one, list([name]), list([NULL]), list([name, NULL])];
  const ops = ['EQUAL', 'NOT_EQUAL', 'LESS_THAN', 'IN', 'NOT_IN', 'ARRAY_CONTAINS'];
  return [
    ...['startAt', 'endAt'].flatMap((cursor) => [
      ask({ [cursor]: at(name) }),

      ask({ orderBy: [field('n')], [cursor]: at(one) }),
      ask({ orderBy: [field('n')], [cursor]: at(one, name) }),
      ask({ orderBy: [field('n')], [cursor]: at(one, one) }),
      ask({ orderBy: [field('n'), field('__name__')], [cursor]: at(one, name) }),
      ask({ orderBy: [field('n'), field('__name__')], [cursor]: at(one, one) }),
      ask({ where: more, [cursor]: at(one) }),
    ]),
    ...unary.map((op) => ask({ where: { unaryFilter: { ...field('__name__'), op } } })),
    ...held.flatMap((value) =>
      ops.map((op) => ask({ where: { fieldFilter: { ...field('__name__'), op, value } } })),
    ),
  ];
}

/** Update times that are required: of the past, of the future, and by several writes of one document. */
function required(root) {
  const set = (id, updateTime) => ({
    update: { name: `${root}/compared/${id}`, fields: { n: NULL } },
    ...(updateTime && { currentDocument: { updateTime } }),
  });
  const [past, future] = ['1971-01-01T00:00:00Z', '2999-01-01T00:00:00Z'];
  const gone = { delete: `${root}/compared/there` };
  return [
    commit([set('there')]),
    ...[past, future, '1969-12-31T23:59:59Z'].flatMap((time) => [
      commit([set('there', time)]),
      commit([set('nowhere', time)]),
      commit([set('there', time), set('there', time)]),
      commit([set('there'), set('there', time)]),
      commit([gone, set('there', time)]),
      commit([{ verify: `${root}/compared/there`, currentDocument: { updateTime: time } }]),
    ]),
    commit([set('there', past), set('there', future)]),
  ];
}

/** Aggregations without any, with an alias twice, and of nothing. */
function aggregations() {
  const count = (alias) => ({ alias, count: {} });
  const ask = (aggregations) => ({
    method: 'POST',
    path: ':runAggregationQuery',
    body: {
      structuredAggregationQuery: {
        structuredQuery: { from: [{ collectionId: 'compared' }] },
        aggregations,
      },
    },
  });
  return [
    ask([]),
    ask([count('x'), count('x')]),
    ask([count('x'), { alias: 'x', sum: { field: { fieldPath: 'n' } } }]),
    ask([count('field_2'), { count: {} }]),
    ask([{ count: {} }, { count: {} }]),
    ask([{ alias: 'x' }]),
    ask([{ alias: 'x', count: { upTo: '0' } }]),
    ask([{ alias: 'x', count: { upTo: '-1' } }]),
    ask([{ alias: 'x', sum: {} }]),
    ask([count('__x__')]),
  ];
}

/** @param {string} root `…/documents` */
export const edges = (root) =>
  [nesting, transforms, names, sizes, reserved, below, compared, positions, required, aggregations].flatMap(
    (make) => make(root),
  );
