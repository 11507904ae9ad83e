/** Bundles: documents and queries that come as a file. */

import { equal } from '../check.mjs';

export const bundles = [
  {
    name: 'a bundle fills the cache and brings its query',
    needs: ['offline'],
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.batch([3, 1, 2].map((n) => ['set', `${collection}/d${n}`, { n }]));
      const name = `all of ${collection}`;
      const bundle = await scope.host.bundle(collection, name);
      const client = driver.another();
      await client.offline();
      equal(await client.namedQuery(name), null);
      const progress = await client.loadBundle(bundle);
      equal([progress.taskState, progress.documentsLoaded], ['Success', 3]);
      equal(await client.namedQuery(name), ['d1', 'd2', 'd3']);
      equal(await client.cached(`${collection}/d2`), { n: 2 });
      await client.close();
    },
  },
  {
    name: 'a query of a bundle goes on living',
    needs: ['offline'],
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.set(`${collection}/d1`, { n: 1 });
      const name = `all of ${collection}`;
      const bundle = await scope.host.bundle(collection, name);
      await driver.set(`${collection}/d2`, { n: 2 });
      const client = driver.another();
      await client.loadBundle(bundle);
      equal(await client.liveNamedQuery(name, (ids) => ids.length === 2), ['d1', 'd2']);
      await client.close();
    },
  },
];
