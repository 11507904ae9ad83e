/** Being offline and coming back. */

import { Events, equal } from '../check.mjs';

const settled = (event) => !event.fromCache && !event.pending;

/** Wait for a client to notice that its server is gone, and that it is back, in milliseconds. */
const PATIENCE = 60_000;

/** Listens anew until the first event says that the client knows itself cut off; answers what goes on. */
async function joinCutOff(client, spec) {
  for (const deadline = Date.now() + PATIENCE; ; ) {
    const events = new Events();
    const stop = client.listen(spec, events);
    const first = await events.next(() => true, PATIENCE);
    if (first.fromCache) return { events, stop, first };
    stop();
    if (Date.now() > deadline) throw new Error('the client never noticed that its server is gone');
    await new Promise((done) => setTimeout(done, 100));
  }
}

export const offline = [
  {
    name: 'who joins while the server is away is told that it sees what was known',
    needs: ['listen', 'metadata'],
    limit: 2 * PATIENCE,
    async run(driver, { host, collection }) {
      const spec = { collection: collection() };
      const at = await host.startServer();
      const [client, writer] = [driver.another(at), driver.another(at)];
      try {
        await writer.set(`${spec.collection}/a`, { n: 1 });
        const known = new Events();
        const stop = client.listen(spec, known);
        equal((await known.next(settled)).ids, ['a']);
        await host.disconnectServer(at.id);
        const joined = await joinCutOff(client, spec);
        equal([joined.first.ids, joined.first.changes], [['a'], ['added a']]);
        await host.reconnectServer(at.id);
        await writer.set(`${spec.collection}/b`, { n: 2 });
        equal((await joined.events.next(settled, PATIENCE)).changes, ['added b']);
        for (const end of [stop, joined.stop]) end();
      } finally {
        await client.close();
        await writer.close();
        await host.stopServer(at.id);
      }
    },
  },
  {
    name: 'writes wait and are flushed in order',
    needs: ['offline'],
    async run(driver, scope) {
      const client = driver.another();
      const path = `${scope.collection()}/one`;
      await client.offline();
      const all = [client.set(path, { n: 1 }), client.update(path, { n: 2 }), client.update(path, { m: 3 })];
      equal(await client.cached(path), { n: 2, m: 3 });
      equal(await driver.get(path), undefined);
      await client.online();
      await client.waitForPendingWrites();
      await Promise.all(all);
      equal(await driver.get(path), { n: 2, m: 3 });
      await client.close();
    },
  },
  {
    name: 'a listener catches up after a break',
    needs: ['offline'],
    async run(driver, scope) {
      const collection = scope.collection();
      const client = driver.another();
      await driver.batch(['a', 'b', 'c'].map((id) => ['set', `${collection}/${id}`, { v: 1 }]));
      const events = new Events();
      const stop = client.listen({ collection }, events);
      equal((await events.next(settled)).ids, ['a', 'b', 'c']);
      await client.offline();
      await driver.batch([
        ['remove', `${collection}/a`],
        ['set', `${collection}/b`, { v: 2 }],
        ['set', `${collection}/d`, { v: 1 }],
      ]);
      await client.online();
      const event = await events.next((one) => settled(one) && one.ids.join() === 'b,c,d');
      equal(
        event.docs.map((doc) => doc.data.v),
        [2, 1, 1],
      );
      stop();
      await client.close();
    },
  },
  {
    name: 'a refused write is undone in the view',
    needs: ['offline'],
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      const events = new Events();
      const stop = driver.listen({ doc: path }, events, { onMetadata: true });
      await events.next((event) => !event.fromCache);
      const refused = driver.update(path, { n: 1 }).catch((error) => error.code);
      equal(await refused, 'not-found');
      equal(await driver.get(path), undefined);
      stop();
    },
  },
  {
    name: 'waiting for pending writes does not wait for later ones',
    needs: ['offline'],
    async run(driver, scope) {
      const client = driver.another();
      const collection = scope.collection();
      await client.waitForPendingWrites();
      const first = client.set(`${collection}/a`, { n: 1 });
      await client.waitForPendingWrites();
      equal(await driver.get(`${collection}/a`), { n: 1 });
      await first;
      await client.offline();
      const later = client.set(`${collection}/b`, { n: 2 });
      let flushed = false;
      const waiting = client.waitForPendingWrites().then(() => {
        flushed = true;
      });
      equal(await client.cached(`${collection}/b`), { n: 2 });
      equal(flushed, false);
      await client.online();
      await waiting;
      await later;
      equal(await driver.get(`${collection}/b`), { n: 2 });
      await client.close();
    },
  },
  {
    name: 'listeners tell what comes from the cache',
    needs: ['offline'],
    async run(driver, scope) {
      const client = driver.another();
      const path = `${scope.collection()}/one`;
      await driver.set(path, { n: 1 });
      const [quiet, full] = [new Events(), new Events()];
      const stops = [
        client.listen({ doc: path }, quiet),
        client.listen({ doc: path }, full, { onMetadata: true }),
      ];
      equal((await full.next(settled)).data, { n: 1 });
      equal((await quiet.next(settled)).data, { n: 1 });
      await client.offline();
      equal((await full.next((event) => event.fromCache)).data, { n: 1 });
      await client.online();
      equal((await full.next(settled)).data, { n: 1 });
      // A listener without metadata changes gets none of these events.
      equal(quiet.pending, 0);
      for (const stop of stops) stop();
      await client.close();
    },
  },
  {
    name: 'all listeners agree when they are said to be in sync',
    needs: ['offline'],
    async run(driver, scope) {
      const client = driver.another();
      const collection = scope.collection();
      const [all, some, synced] = [new Events(), new Events(), new Events()];
      const stops = [
        client.listen({ collection }, all),
        client.listen({ collection, where: [['n', '>', 0]] }, some),
      ];
      await all.next(settled);
      await some.next(settled);
      let latest = [];
      stops.push(
        client.listen({ collection }, { push: (event) => latest.push(event.ids.length), fail: () => {} }),
        client.snapshotsInSync(() => {
          synced.push([...latest]);
          latest = [];
        }),
      );
      await driver.batch([1, 2, 3].map((n) => ['set', `${collection}/${n}`, { n }]));
      equal((await all.next((event) => settled(event) && event.ids.length > 0)).ids.length, 3);
      equal((await some.next((event) => settled(event) && event.ids.length > 0)).ids.length, 3);
      await synced.next((counts) => counts.includes(3));
      for (const stop of stops) stop();
      await client.close();
    },
  },
];
