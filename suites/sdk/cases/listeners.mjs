/** Live documents and queries. */

import { Events, equal, truthy } from '../check.mjs';

const settled = (event) => !event.fromCache && !event.pending;

export const listeners = [
  {
    name: 'a document: missing, made, changed, deleted',
    needs: ['listen'],
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      const events = new Events();
      const stop = driver.listen({ doc: path }, events, { onMetadata: true });
      equal((await events.next(settled)).exists, false);
      await driver.set(path, { n: 1 });
      equal((await events.next((event) => settled(event) && event.exists)).data, { n: 1 });
      await driver.update(path, { n: 2 });
      equal((await events.next((event) => settled(event) && event.data?.n === 2)).data, { n: 2 });
      await driver.remove(path);
      equal((await events.next((event) => settled(event) && !event.exists)).exists, false);
      stop();
    },
  },
  {
    name: 'a query: added, modified, removed',
    needs: ['listen'],
    async run(driver, scope) {
      const collection = scope.collection();
      const writer = driver.another();
      await writer.set(`${collection}/a`, { n: 1 });
      const events = new Events();
      const stop = driver.listen({ collection, where: [['n', '>', 0]], orderBy: [['n', 'asc']] }, events);
      equal((await events.next(settled)).changes, ['added a']);
      await writer.set(`${collection}/b`, { n: 2 });
      equal((await events.next(settled)).changes, ['added b']);
      await writer.set(`${collection}/a`, { n: 3 });
      const moved = await events.next(settled);
      equal([moved.changes, moved.ids], [['modified a'], ['b', 'a']]);
      await writer.set(`${collection}/b`, { n: 0 });
      equal((await events.next(settled)).changes, ['removed b']);
      await writer.remove(`${collection}/a`);
      equal((await events.next(settled)).changes, ['removed a']);
      stop();
      await writer.close();
    },
  },
  {
    name: 'a query that selects fields',
    needs: ['listen', 'server'],
    async run(driver, scope) {
      const collection = scope.collection();
      const writer = driver.another();
      const whole = (n) => ({ n, name: 'x', m: { x: n, y: n } });
      // The SDK orders what it listens to by itself, so it needs the field for that.
      const part = (n) => ({ n, m: { x: n } });
      await writer.set(`${collection}/a`, whole(1));
      const events = new Events();
      const query = { collection, where: [['n', '>', 0]], orderBy: [['n', 'asc']], select: ['n', 'm.x'] };
      const stop = driver.listen(query, events);
      equal((await events.next(settled)).docs, [{ id: 'a', data: part(1) }]);
      await writer.set(`${collection}/b`, whole(2));
      const two = await events.next(settled);
      equal(two.docs[1], { id: 'b', data: part(2) });
      equal(
        two.docs.map(({ data }) => data),
        (await driver.query(query)).map(({ data }) => data),
      );
      await writer.set(`${collection}/a`, whole(3));
      equal((await events.next(settled)).docs[1], { id: 'a', data: part(3) });
      stop();
      await writer.close();
    },
  },
  {
    name: 'a batch is one snapshot',
    needs: ['listen'],
    async run(driver, scope) {
      const collection = scope.collection();
      const writer = driver.another();
      const events = new Events();
      const stop = driver.listen({ collection }, events);
      equal((await events.next(settled)).ids, []);
      await writer.batch(['a', 'b', 'c', 'd', 'e'].map((id) => ['set', `${collection}/${id}`, { id }]));
      equal((await events.next(settled)).ids, ['a', 'b', 'c', 'd', 'e']);
      await writer.batch([
        ['remove', `${collection}/a`],
        ['set', `${collection}/f`, { id: 'f' }],
      ]);
      equal((await events.next(settled)).ids, ['b', 'c', 'd', 'e', 'f']);
      stop();
      await writer.close();
    },
  },
  {
    name: 'a limit is refilled',
    needs: ['listen'],
    async run(driver, scope) {
      const collection = scope.collection();
      const writer = driver.another();
      await writer.batch([1, 2, 3, 4].map((n) => ['set', `${collection}/${n}`, { n }]));
      const events = new Events();
      const stop = driver.listen({ collection, orderBy: [['n', 'asc']], limit: 2 }, events);
      equal((await events.next(settled)).ids, ['1', '2']);
      await writer.remove(`${collection}/1`);
      equal((await events.next(settled)).ids, ['2', '3']);
      await writer.set(`${collection}/0`, { n: 0 });
      equal((await events.next(settled)).ids, ['0', '2']);
      stop();
      await writer.close();
    },
  },
  {
    name: 'many listeners at once, on one stream',
    needs: ['listen'],
    async run(driver, scope) {
      const collection = scope.collection();
      const kinds = Array.from({ length: 20 }, (_one, index) => index);
      const watched = kinds.map((kind) => {
        const events = new Events();
        return {
          events,
          stop: driver.listen({ collection, where: [['kind', '==', kind]] }, events, { onMetadata: true }),
        };
      });
      for (const { events } of watched) equal((await events.next(settled)).ids, []);
      await driver.batch(kinds.map((kind) => ['set', `${collection}/k${kind}`, { kind }]));
      for (const [kind, { events }] of watched.entries()) {
        equal((await events.next((event) => settled(event) && event.ids.length > 0)).ids, [`k${kind}`]);
      }
      for (const { stop } of watched) stop();
    },
  },
  {
    name: 'one document in two queries moves between them',
    needs: ['listen'],
    async run(driver, scope) {
      const collection = scope.collection();
      const [left, right] = [new Events(), new Events()];
      const writer = driver.another();
      const stops = [
        driver.listen({ collection, where: [['side', '==', 'left']] }, left),
        driver.listen({ collection, where: [['side', '==', 'right']] }, right),
      ];
      await left.next(settled);
      await right.next(settled);
      await writer.set(`${collection}/x`, { side: 'left' });
      equal((await left.next(settled)).changes, ['added x']);
      await writer.set(`${collection}/x`, { side: 'right' });
      equal((await left.next(settled)).changes, ['removed x']);
      equal((await right.next(settled)).changes, ['added x']);
      for (const stop of stops) stop();
      await writer.close();
    },
  },
  {
    name: 'own writes show at once, then settle',
    needs: ['listen', 'offline'],
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      const events = new Events();
      const stop = driver.listen({ doc: path }, events, { onMetadata: true });
      await events.next((event) => !event.fromCache);
      const written = driver.set(path, { n: 1 });
      const first = await events.next((event) => event.exists);
      equal([first.pending, first.data], [true, { n: 1 }]);
      await written;
      equal((await events.next((event) => !event.pending)).data, { n: 1 });
      stop();
    },
  },
  {
    name: 'a large result arrives whole',
    needs: ['listen'],
    async run(driver, scope) {
      const collection = scope.collection();
      const text = 'é😀漢'.repeat(500);
      const ids = Array.from({ length: 300 }, (_one, index) => `d${String(index).padStart(3, '0')}`);
      await driver.batch(ids.map((id) => ['set', `${collection}/${id}`, { id, text }]));
      const reader = driver.another();
      const events = new Events();
      const stop = reader.listen({ collection }, events);
      const { docs } = await events.next(settled);
      equal(
        docs.map((doc) => doc.id),
        ids,
      );
      truthy(
        docs.every((doc) => doc.data.text === text),
        'every text is whole',
      );
      stop();
      await reader.close();
    },
  },
  {
    name: 'a listener that is stopped hears nothing more',
    needs: ['listen'],
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      const [stopped, kept] = [new Events(), new Events()];
      const stop = driver.listen({ doc: path }, stopped);
      const stopKept = driver.listen({ doc: path }, kept, { onMetadata: true });
      await stopped.next(settled);
      await kept.next(settled);
      stop();
      await driver.set(path, { n: 1 });
      await kept.next((event) => settled(event) && event.exists);
      equal(stopped.pending, 0);
      stopKept();
    },
  },
];
