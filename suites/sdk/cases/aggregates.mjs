/** Counts, sums and means. */

import { equal } from '../check.mjs';

export const aggregates = [
  {
    name: 'count, sum and average',
    needs: ['aggregates'],
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.batch([
        ['set', `${collection}/a`, { n: 1, d: 0.5 }],
        ['set', `${collection}/b`, { n: 2, d: 1 }],
        ['set', `${collection}/c`, { n: 3 }],
        ['set', `${collection}/d`, { n: 'text' }],
      ]);
      equal(await driver.count({ collection }), 4);
      equal(await driver.count({ collection, where: [['n', '>', 1]] }), 2);
      equal(await driver.count({ collection, limit: 3 }), 3);
      const fields = { count: ['count'], sum: ['sum', 'n'], mean: ['average', 'd'] };
      const both = await driver.aggregate({ collection }, fields);
      equal(both, { count: 2, sum: 3, mean: 0.75 }, 'over the documents that have every field');
      equal(await driver.aggregate({ collection }, { sum: ['sum', 'n'] }), { sum: 6 });
    },
  },
  {
    name: 'aggregates over nothing',
    needs: ['aggregates'],
    async run(driver, scope) {
      const collection = scope.collection();
      const fields = { count: ['count'], sum: ['sum', 'n'], mean: ['average', 'n'] };
      equal(await driver.aggregate({ collection }, fields), { count: 0, sum: 0, mean: null });
    },
  },
];
