/** Being offline and coming back. */

import { Events, equal } from '../check.mjs';

const settled = (event) => !event.fromCache && !event.pending;

export const offline = [
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
];
