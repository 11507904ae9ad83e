/** Transactions and contention. */

import { equal, fails, truthy } from '../check.mjs';

export const transactions = [
  {
    name: 'read, then write',
    async run(driver, scope) {
      const path = `${scope.collection()}/counter`;
      await driver.set(path, { n: 1 });
      const answer = await driver.transaction(async (tx) => {
        const { n } = await tx.get(path);
        tx.update(path, { n: n + 1 });
        return n;
      });
      equal(answer, 1);
      equal(await driver.get(path), { n: 2 });
    },
  },
  {
    name: 'a missing document may be created',
    async run(driver, scope) {
      const path = `${scope.collection()}/new`;
      await driver.transaction(async (tx) => {
        equal(await tx.get(path), undefined);
        tx.set(path, { made: true });
      });
      equal(await driver.get(path), { made: true });
    },
  },
  {
    name: 'what throws writes nothing',
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      const attempt = driver.transaction(async (tx) => {
        await tx.get(path);
        tx.set(path, { a: 1 });
        throw Object.assign(new Error('changed my mind'), { code: 'cancelled' });
      });
      await fails(attempt, 'cancelled');
      equal(await driver.get(path), undefined);
    },
  },
  {
    name: 'six at once lose no update',
    // A client that read too early waits longer each time, and by chance.
    limit: 60_000,
    async run(driver, scope) {
      const path = `${scope.collection()}/counter`;
      await driver.set(path, { n: 0 });
      const once = () =>
        driver.transaction(
          async (tx) => {
            const { n } = await tx.get(path);
            tx.update(path, { n: n + 1 });
          },
          { maxAttempts: 100 },
        );
      await Promise.all(Array.from({ length: 6 }, once));
      equal(await driver.get(path), { n: 6 });
    },
  },
  {
    name: 'a document that was only read guards the write',
    needs: ['optimistic'],
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.set(`${collection}/guard`, { open: true });
      let attempts = 0;
      await driver.transaction(async (tx) => {
        attempts += 1;
        const { open } = await tx.get(`${collection}/guard`);
        if (attempts === 1) await driver.set(`${collection}/guard`, { open: false });
        tx.set(`${collection}/result`, { open });
      });
      equal(attempts, 2, 'attempts');
      equal(await driver.get(`${collection}/result`), { open: false });
    },
  },
  {
    name: 'a query inside a transaction',
    needs: ['transactions'],
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.set(`${collection}/a`, { n: 1 });
      const ids = await driver.transaction(async (tx) => {
        const found = await tx.query({ collection, where: [['n', '==', 1]] });
        tx.set(`${collection}/b`, { n: 2 });
        return found;
      });
      equal(ids, ['a']);
    },
  },
  {
    name: 'a read-only transaction sees one state',
    needs: ['transactions'],
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.set(`${collection}/a`, { n: 1 });
      const seen = await driver.transaction(
        async (tx) => {
          const first = await tx.get(`${collection}/a`);
          await driver.set(`${collection}/a`, { n: 2 });
          return [first, await tx.get(`${collection}/a`)];
        },
        { readOnly: true },
      );
      equal(seen, [{ n: 1 }, { n: 1 }]);
    },
  },
  {
    name: 'a read-only transaction may not write',
    needs: ['transactions'],
    async run(driver, scope) {
      const path = `${scope.collection()}/a`;
      await driver.set(path, { n: 1 });
      const attempt = driver.transaction(
        async (tx) => {
          await tx.get(path);
          tx.update(path, { n: 2 });
        },
        { readOnly: true },
      );
      // The server SDK refuses by itself, with an error that has no code.
      const refused = await attempt.then(
        () => 'it wrote',
        ({ message }) => message,
      );
      truthy(/read-only transaction/.test(refused), `refused as read-only, not: ${refused}`);
      equal(await driver.get(path), { n: 1 });
    },
  },
  {
    name: 'money moved between accounts is neither made nor lost',
    limit: 60_000,
    async run(driver, scope) {
      const collection = scope.collection();
      const ids = ['a', 'b', 'c'];
      await driver.batch(ids.map((id) => ['set', `${collection}/${id}`, { money: 100 }]));
      const move = (from, to) =>
        driver.transaction(
          async (tx) => {
            const left = (await tx.get(`${collection}/${from}`)).money;
            const right = (await tx.get(`${collection}/${to}`)).money;
            tx.update(`${collection}/${from}`, { money: left - 7 });
            tx.update(`${collection}/${to}`, { money: right + 7 });
          },
          { maxAttempts: 100 },
        );
      const moves = [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'a'],
        ['b', 'a'],
        ['a', 'c'],
        ['a', 'b'],
      ];
      await Promise.all(moves.map(([from, to]) => move(from, to)));
      const left = await driver.query({ collection });
      equal(
        left.map(({ data }) => data.money),
        [93, 100, 107],
      );
    },
  },
];
