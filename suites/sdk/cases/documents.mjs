/** Reading and writing single documents. */

import { Events, equal, fails } from '../check.mjs';

export const documents = [
  {
    name: 'a document that was set can be read',
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      equal(await driver.get(path), undefined);
      await driver.set(path, { name: 'Ada', born: 1815 });
      equal(await driver.get(path), { name: 'Ada', born: 1815 });
    },
  },
  {
    name: 'set replaces, set with merge adds',
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      await driver.set(path, { a: 1, b: { c: 2, d: 3 } });
      await driver.set(path, { b: { c: 4 } }, { merge: true });
      equal(await driver.get(path), { a: 1, b: { c: 4, d: 3 } });
      await driver.set(path, { b: { e: 5 }, x: 1 }, { mergeFields: ['b'] });
      equal(await driver.get(path), { a: 1, b: { e: 5 } });
      await driver.set(path, { z: 1 });
      equal(await driver.get(path), { z: 1 });
    },
  },
  {
    name: 'update changes fields, dotted ones too, and deletes',
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      await driver.set(path, { a: 1, b: { c: 2, d: 3 }, 'odd.name': 1 });
      await driver.update(path, { 'b.c': 9, a: driver.value.deleteField() });
      equal(await driver.get(path), { b: { c: 9, d: 3 }, 'odd.name': 1 });
      await driver.update(path, driver.value.fieldPath('odd.name'), 2);
      equal(await driver.get(path), { b: { c: 9, d: 3 }, 'odd.name': 2 });
    },
  },
  {
    name: 'update of a missing document fails',
    async run(driver, scope) {
      await fails(driver.update(`${scope.collection()}/none`, { a: 1 }), 'not-found');
    },
  },
  {
    name: 'a deleted document is gone; deleting again is no error',
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      await driver.set(path, { a: 1 });
      await driver.remove(path);
      equal(await driver.get(path), undefined);
      await driver.remove(path);
    },
  },
  {
    name: 'add makes an id of twenty letters',
    async run(driver, scope) {
      const collection = scope.collection();
      const id = await driver.add(collection, { a: 1 });
      equal(id.length, 20);
      equal(await driver.get(`${collection}/${id}`), { a: 1 });
    },
  },
  {
    name: 'ids may hold any text',
    async run(driver, scope) {
      const collection = scope.collection();
      const ids = [
        'with space',
        'ünïcödé',
        '日本',
        '😀',
        'a:b',
        'a%b',
        'x+y',
        '"quoted"',
        'a.b',
        '(p)',
        'q?r#s&t=u',
        '____',
      ];
      for (const id of ids) await driver.set(`${collection}/${id}`, { id });
      for (const id of ids) equal(await driver.get(`${collection}/${id}`), { id }, id);
      const found = await driver.query({ collection });
      equal(found.map((doc) => doc.id).sort(), [...ids].sort());
    },
  },
  {
    name: 'create fails on an existing document',
    needs: ['create'],
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      await driver.create(path, { a: 1 });
      await fails(driver.create(path, { a: 2 }), 'already-exists');
      equal(await driver.get(path), { a: 1 });
    },
  },
  {
    name: 'documents and collections can be listed',
    needs: ['server'],
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.set(`${collection}/a`, { n: 1 });
      await driver.set(`${collection}/b/deep/x`, { n: 2 });
      await driver.set(`${collection}/b/other/y`, { n: 3 });
      const listed = await driver.db.collection(collection).listDocuments();
      equal(
        listed.map((doc) => doc.id),
        ['a', 'b'],
        'the parent of a document counts though it is missing',
      );
      const below = await driver.db.doc(`${collection}/b`).listCollections();
      equal(
        below.map((found) => found.id),
        ['deep', 'other'],
      );
      const root = await driver.db.listCollections();
      equal(
        root.some((found) => found.id === collection),
        true,
      );
    },
  },
  {
    name: 'getAll keeps the order and tells missing ones',
    needs: ['server'],
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.set(`${collection}/b`, { n: 2, m: 1 });
      await driver.set(`${collection}/a`, { n: 1, m: 1 });
      const refs = ['a', 'none', 'b'].map((id) => driver.db.doc(`${collection}/${id}`));
      const found = await driver.db.getAll(...refs, { fieldMask: ['n'] });
      equal(
        found.map((doc) => [doc.id, doc.exists, doc.data()]),
        [
          ['a', true, { n: 1 }],
          ['none', false, undefined],
          ['b', true, { n: 2 }],
        ],
      );
    },
  },
  {
    name: 'a named database has documents of its own',
    async run(driver, scope) {
      const collection = scope.collection();
      const second = driver.another(undefined, { database: 'second' });
      try {
        await driver.set(`${collection}/a`, { in: 'default' });
        await second.set(`${collection}/a`, { in: 'second' });
        await second.add(collection, { in: 'second' });
        equal(await driver.get(`${collection}/a`), { in: 'default' });
        equal(await second.get(`${collection}/a`), { in: 'second' });
        equal((await driver.query({ collection })).length, 1);
        equal((await second.query({ collection })).length, 2);
        await second.transaction(async (tx) => {
          const { in: where } = await tx.get(`${collection}/a`);
          tx.update(`${collection}/a`, { seen: where });
        });
        equal(await second.get(`${collection}/a`), { in: 'second', seen: 'second' });
        if (!driver.can.has('listen')) return;
        const events = new Events();
        const stop = second.listen({ doc: `${collection}/a` }, events, { onMetadata: true });
        const settled = (event) => event.exists && !event.fromCache && !event.pending;
        await events.next((event) => settled(event) && event.data.seen === 'second');
        await driver.set(`${collection}/a`, { in: 'default', seen: 'elsewhere' });
        await second.set(`${collection}/a`, { seen: 'here' });
        equal((await events.next((event) => settled(event) && event.data.seen !== 'second')).data, {
          seen: 'here',
        });
        stop();
      } finally {
        await second.close();
      }
    },
  },
];
