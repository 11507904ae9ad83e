/** Queries: every operator, order, cursor and limit. */

import { equal, fails } from '../check.mjs';

const CITIES = {
  amsterdam: { country: 'NL', people: 900, tags: ['canal', 'capital'], coast: true },
  berlin: { country: 'DE', people: 3_700, tags: ['capital', 'wall'], coast: false },
  cairo: { country: 'EG', people: 10_000, tags: ['capital', 'old'], coast: false },
  delft: { country: 'NL', people: 100, tags: ['canal', 'old'], coast: false, note: null },
  essen: { country: 'DE', people: 580, tags: [], coast: false, note: Number.NaN },
};

async function cities(driver, scope) {
  const collection = scope.collection();
  await driver.batch(Object.entries(CITIES).map(([id, data]) => ['set', `${collection}/${id}`, data]));
  return async (spec = {}) => (await driver.query({ collection, ...spec })).map((found) => found.id);
}

const all = Object.keys(CITIES);

export const queries = [
  {
    name: 'no condition: by name',
    async run(driver, scope) {
      const ids = await cities(driver, scope);
      equal(await ids(), all);
    },
  },
  {
    name: 'comparisons',
    async run(driver, scope) {
      const ids = await cities(driver, scope);
      equal(await ids({ where: [['country', '==', 'NL']] }), ['amsterdam', 'delft']);
      equal(await ids({ where: [['country', '!=', 'NL']] }), ['berlin', 'essen', 'cairo']);
      equal(await ids({ where: [['people', '<', 900]] }), ['delft', 'essen']);
      equal(await ids({ where: [['people', '<=', 900]] }), ['delft', 'essen', 'amsterdam']);
      equal(await ids({ where: [['people', '>', 900]] }), ['berlin', 'cairo']);
      equal(await ids({ where: [['people', '>=', 900]] }), ['amsterdam', 'berlin', 'cairo']);
      equal(
        await ids({
          where: [
            ['people', '>', 100],
            ['people', '<', 1_000],
          ],
        }),
        ['essen', 'amsterdam'],
      );
      equal(
        await ids({
          where: [
            ['country', '==', 'DE'],
            ['people', '>', 1_000],
          ],
        }),
        ['berlin'],
      );
      equal(await ids({ where: [['people', '>', '']] }), [], 'only values of the same type compare');
    },
  },
  {
    name: 'lists of values',
    async run(driver, scope) {
      const ids = await cities(driver, scope);
      equal(await ids({ where: [['country', 'in', ['EG', 'NL']]] }), ['amsterdam', 'cairo', 'delft']);
      equal(await ids({ where: [['country', 'not-in', ['EG', 'NL']]] }), ['berlin', 'essen']);
      equal(await ids({ where: [['tags', 'array-contains', 'old']] }), ['cairo', 'delft']);
      equal(await ids({ where: [['tags', 'array-contains-any', ['wall', 'canal']]] }), [
        'amsterdam',
        'berlin',
        'delft',
      ]);
      equal(
        await ids({
          where: [
            ['tags', 'array-contains', 'capital'],
            ['country', 'in', ['NL', 'DE']],
          ],
        }),
        ['amsterdam', 'berlin'],
      );
      equal(await ids({ where: [['__name__', 'in', ['cairo', 'delft', 'nowhere']]] }), ['cairo', 'delft']);
    },
  },
  {
    name: 'null and NaN',
    async run(driver, scope) {
      const ids = await cities(driver, scope);
      equal(await ids({ where: [['note', '==', null]] }), ['delft']);
      equal(await ids({ where: [['note', '==', Number.NaN]] }), ['essen']);
      equal(await ids({ where: [['note', '!=', null]] }), ['essen']);
      equal(await ids({ where: [['note', '!=', Number.NaN]] }), [], 'null is not unequal to anything');
      const odd = scope.collection();
      await driver.set(`${odd}/null`, { list: [null] });
      await driver.set(`${odd}/nan`, { list: [Number.NaN] });
      await driver.set(`${odd}/one`, { list: [1] });
      // One that wrote nothing: a client's own cache finds null in lists and would wait for the server to agree.
      const reader = await driver.another();
      const holding = async (values) => {
        const where = [['list', 'array-contains-any', values]];
        return (await reader.query({ collection: odd, where })).map((found) => found.id);
      };
      equal(await holding([null, 1]), ['one'], 'null is in no list');
      equal(await holding([Number.NaN]), [], 'NaN is in no list');
      await reader.close();
    },
  },
  {
    name: 'or',
    needs: ['or'],
    async run(driver, scope) {
      const ids = await cities(driver, scope);
      equal(
        await ids({
          or: [
            ['country', '==', 'EG'],
            ['people', '<', 200],
          ],
        }),
        ['delft', 'cairo'],
        'in the order of what is compared',
      );
      equal(
        await ids({
          where: [['coast', '==', false]],
          or: [
            ['country', '==', 'NL'],
            ['tags', 'array-contains', 'wall'],
          ],
        }),
        ['berlin', 'delft'],
      );
    },
  },
  {
    name: 'orders',
    async run(driver, scope) {
      const ids = await cities(driver, scope);
      equal(await ids({ orderBy: [['people', 'desc']] }), ['cairo', 'berlin', 'amsterdam', 'essen', 'delft']);
      equal(
        await ids({
          orderBy: [
            ['country', 'asc'],
            ['people', 'desc'],
          ],
        }),
        ['berlin', 'essen', 'cairo', 'amsterdam', 'delft'],
      );
      equal(
        await ids({ orderBy: [['note', 'asc']] }),
        ['delft', 'essen'],
        'only documents that have the field',
      );
      equal(await ids({ orderBy: [['__name__', 'desc']] }), [...all].reverse());
      equal(await ids({ where: [['coast', '==', false]], orderBy: [['people', 'desc']], limit: 2 }), [
        'cairo',
        'berlin',
      ]);
    },
  },
  {
    name: 'the last of an order',
    needs: ['limitToLast'],
    async run(driver, scope) {
      const ids = await cities(driver, scope);
      equal(await ids({ orderBy: [['people', 'asc']], limitToLast: 2 }), ['berlin', 'cairo']);
    },
  },
  {
    name: 'limits and cursors',
    async run(driver, scope) {
      const ids = await cities(driver, scope);
      const orderBy = [['people', 'asc']];
      equal(await ids({ orderBy, limit: 2 }), ['delft', 'essen']);
      equal(await ids({ orderBy, startAt: [900] }), ['amsterdam', 'berlin', 'cairo']);
      equal(await ids({ orderBy, startAfter: [900] }), ['berlin', 'cairo']);
      equal(await ids({ orderBy, endAt: [900] }), ['delft', 'essen', 'amsterdam']);
      equal(await ids({ orderBy, endBefore: [900] }), ['delft', 'essen']);
      equal(await ids({ orderBy, startAfter: [100], endBefore: [3_700] }), ['essen', 'amsterdam']);
      equal(
        await ids({
          orderBy: [
            ['country', 'asc'],
            ['people', 'asc'],
          ],
          startAt: ['DE', 1_000],
        }),
        ['berlin', 'cairo', 'delft', 'amsterdam'],
      );
    },
  },
  {
    name: 'a document is a cursor',
    needs: ['cursors'],
    async run(driver, scope) {
      const collection = scope.collection();
      const ranks = { a: 1, b: 2, c: 2, d: 2, e: 3 };
      await driver.batch(Object.entries(ranks).map(([id, rank]) => ['set', `${collection}/${id}`, { rank }]));
      // Of the three that rank alike, the name says which comes after which.
      const at = [await driver.snapshot(`${collection}/c`)];
      const ids = async (spec) => (await driver.query({ collection, ...spec })).map((found) => found.id);
      const up = [['rank', 'asc']];
      const down = [['rank', 'desc']];
      equal(await ids({ orderBy: up, startAt: at }), ['c', 'd', 'e']);
      equal(await ids({ orderBy: up, startAfter: at }), ['d', 'e']);
      equal(await ids({ orderBy: up, endAt: at }), ['a', 'b', 'c']);
      equal(await ids({ orderBy: up, endBefore: at }), ['a', 'b']);
      equal(await ids({ orderBy: down, startAfter: at }), ['b', 'a']);
      equal(await ids({ orderBy: down, startAfter: at, limit: 1 }), ['b']);
    },
  },
  {
    name: 'collection groups',
    async run(driver, scope) {
      const [top, group] = [scope.collection(), scope.collection()];
      await driver.batch([
        ['set', `${top}/a/${group}/1`, { n: 1 }],
        ['set', `${top}/b/${group}/2`, { n: 2 }],
        ['set', `${group}/3`, { n: 3 }],
        ['set', `${top}/b/${group}x/4`, { n: 4 }],
      ]);
      const found = await driver.query({ group });
      equal(
        found.map((doc) => doc.path).sort(),
        [`${group}/3`, `${top}/a/${group}/1`, `${top}/b/${group}/2`].sort(),
      );
      equal(
        (await driver.query({ group, where: [['n', '>=', 2]] })).map((doc) => doc.id),
        ['2', '3'],
      );
    },
  },
  {
    name: 'subcollections are separate',
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.set(`${collection}/a`, { n: 1 });
      await driver.set(`${collection}/a/sub/b`, { n: 2 });
      equal(
        (await driver.query({ collection })).map((doc) => doc.id),
        ['a'],
      );
      equal(
        (await driver.query({ collection: `${collection}/a/sub` })).map((doc) => doc.id),
        ['b'],
      );
    },
  },
  {
    name: 'nested fields',
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.set(`${collection}/a`, { deep: { n: 1, list: [1] } });
      await driver.set(`${collection}/b`, { deep: { n: 2, list: [2] } });
      equal(
        (await driver.query({ collection, where: [['deep.n', '>', 1]] })).map((doc) => doc.id),
        ['b'],
      );
      equal(
        (await driver.query({ collection, where: [['deep.list', 'array-contains', 1]] })).map(
          (doc) => doc.id,
        ),
        ['a'],
      );
      equal(
        (await driver.query({ collection, where: [['deep', '==', { n: 2, list: [2] }]] })).map(
          (doc) => doc.id,
        ),
        ['b'],
      );
    },
  },
  {
    name: 'a projection, an offset, a page',
    needs: ['server'],
    async run(driver, scope) {
      const collection = scope.collection();
      const base = driver.db.collection(collection);
      await driver.batch([1, 2, 3, 4].map((n) => ['set', `${collection}/${n}`, { n, m: { x: n, y: 0 } }]));
      const found = await base.select('m.x').orderBy('n').offset(1).limit(2).get();
      equal(
        found.docs.map((doc) => doc.data()),
        [{ m: { x: 2 } }, { m: { x: 3 } }],
      );
      const names = await base.select().get();
      equal(
        names.docs.map((doc) => [doc.id, doc.data()]),
        [
          ['1', {}],
          ['2', {}],
          ['3', {}],
          ['4', {}],
        ],
      );
    },
  },
  {
    name: 'the nearest vectors',
    needs: ['server'],
    async run(driver, scope) {
      const collection = scope.collection();
      const at = (list) => ({ deep: { v: driver.value.vector(list) } });
      await driver.batch([
        ['set', `${collection}/a`, at([1, 0])],
        ['set', `${collection}/b`, at([5, 5])],
        ['set', `${collection}/c`, at([2, 0])],
      ]);
      const search = {
        vectorField: 'deep.v',
        queryVector: [0, 0],
        limit: 2,
        distanceMeasure: 'EUCLIDEAN',
        distanceResultField: 'far',
      };
      const found = await driver.db.collection(collection).findNearest(search).get();
      equal(
        found.docs.map((doc) => [doc.id, doc.get('far')]),
        [
          ['a', 1],
          ['c', 2],
        ],
      );
    },
  },
  {
    name: 'a collection group is split into partitions',
    needs: ['server'],
    async run(driver, scope) {
      const collection = scope.collection();
      const ids = Array.from({ length: 60 }, (_one, index) => `d${String(index).padStart(3, '0')}`);
      await driver.batch(ids.map((id) => ['set', `${collection}/${id}`, { id }]));
      const found = [];
      for await (const part of driver.db.collectionGroup(collection).getPartitions(4)) {
        found.push((await part.toQuery().get()).docs.map((doc) => doc.id));
      }
      equal(found.flat(), ids);
      equal(found.length, 4);
    },
  },
  {
    name: 'explain tells the plan and the cost',
    needs: ['server'],
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.batch([1, 2, 3].map((n) => ['set', `${collection}/${n}`, { n }]));
      const query = driver.db.collection(collection).where('n', '>', 1);
      const plan = await query.explain();
      equal(plan.snapshot, null);
      equal(plan.metrics.executionStats, null);
      equal(plan.metrics.planSummary.indexesUsed.length > 0, true, 'an index is named');
      const run = await query.explain({ analyze: true });
      equal(
        run.snapshot.docs.map((doc) => doc.id),
        ['2', '3'],
      );
      equal(run.metrics.executionStats.resultsReturned, 2);
      equal(run.metrics.executionStats.readOperations > 0, true);
    },
  },
  {
    name: 'too many values are refused',
    needs: ['server'],
    async run(driver, scope) {
      const base = driver.db.collection(scope.collection());
      const many = Array.from({ length: 31 }, (_one, index) => index);
      await fails(
        base.where('n', 'in', many).get(),
        'invalid-argument',
        /'IN' supports up to 30 comparison values/,
      );
    },
  },
  {
    name: 'too many aggregations are refused',
    needs: ['modular'],
    async run(driver, scope) {
      const collection = scope.collection();
      const six = Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`a${n}`, ['sum', `f${n}`]]));
      await fails(
        driver.aggregate({ collection }, six),
        driver.badRequest ?? 'invalid-argument',
        /maximum number of aggregations/,
      );
    },
  },
];
