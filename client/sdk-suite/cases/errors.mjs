/** What is refused, and how. */

import { Events, equal, fails } from '../check.mjs';

export const errors = [
  {
    name: 'a bad target leaves the other listeners alive',
    needs: ['listen', 'modular'],
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      const good = new Events();
      const stop = driver.listen({ doc: path }, good, { onMetadata: true });
      await good.next((event) => !event.fromCache);
      const bad = new Events();
      driver.listen({ doc: `${scope.collection()}/__reserved__` }, bad);
      await fails(
        bad.next(() => false),
        'invalid-argument',
        /__reserved__/,
      );
      await driver.set(path, { n: 1 });
      equal((await good.next((event) => event.exists && !event.pending)).data, { n: 1 });
      stop();
    },
  },
  {
    name: 'a reserved id is refused',
    async run(driver, scope) {
      await fails(
        driver.set(`${scope.collection()}/__x__`, { a: 1 }),
        driver.badRequest ?? 'invalid-argument',
        /reserved/,
      );
    },
  },
  {
    name: 'a document that has changed since is not updated',
    needs: ['preconditions'],
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      await driver.set(path, { n: 1 });
      const before = await driver.updateTime(path);
      await driver.set(path, { n: 2 });
      await fails(driver.updateSince(before, path, { n: 3 }), 'failed-precondition');
      equal(await driver.get(path), { n: 2 });
      await driver.updateSince(await driver.updateTime(path), path, { n: 3 });
      equal(await driver.get(path), { n: 3 });
    },
  },
  {
    name: 'a refused write does not block the next one',
    needs: ['offline'],
    async run(driver, scope) {
      const collection = scope.collection();
      const outcomes = [
        driver.set(`${collection}/__x__`, { a: 1 }),
        driver.update(`${collection}/missing`, { a: 1 }),
        driver.set(`${collection}/fine`, { a: 1 }),
      ].map((outcome) =>
        outcome.then(
          () => 'done',
          (error) => error.code,
        ),
      );
      equal(await Promise.all(outcomes), ['invalid-argument', 'not-found', 'done']);
    },
  },
];
