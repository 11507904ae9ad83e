/** Batches and limits. */

import { equal, fails } from '../check.mjs';

export const writes = [
  {
    name: 'a batch writes all or nothing',
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.set(`${collection}/old`, { n: 1 });
      await driver.batch([
        ['set', `${collection}/a`, { n: 1 }],
        ['set', `${collection}/b`, { n: 2 }],
        ['update', `${collection}/a`, { m: 3 }],
        ['remove', `${collection}/old`],
      ]);
      const found = await driver.query({ collection });
      equal(
        found.map(({ id, data }) => [id, data]),
        [
          ['a', { n: 1, m: 3 }],
          ['b', { n: 2 }],
        ],
      );
      const bad = driver.batch([
        ['set', `${collection}/c`, { n: 1 }],
        ['update', `${collection}/missing`, { n: 1 }],
      ]);
      await fails(bad, 'not-found');
      equal(await driver.get(`${collection}/c`), undefined);
    },
  },
  {
    name: 'six hundred writes in one batch',
    async run(driver, scope) {
      const collection = scope.collection();
      const steps = Array.from({ length: 600 }, (_one, index) => [
        'set',
        `${collection}/${index}`,
        { index },
      ]);
      await driver.batch(steps);
      equal((await driver.query({ collection })).length, 600);
    },
  },
  {
    name: 'a document near one mebibyte is stored, a larger one is refused',
    async run(driver, scope) {
      const collection = scope.collection();
      const path = `${collection}/big`;
      await driver.set(path, { text: 'x'.repeat(1_000_000) });
      equal((await driver.get(path)).text.length, 1_000_000);
      await fails(
        driver.set(`${collection}/more`, { text: 'x'.repeat(1_048_576) }),
        driver.badRequest ?? 'invalid-argument',
      );
    },
  },
  {
    name: 'a bulk writer answers for each write',
    needs: ['server'],
    async run(driver, scope) {
      const collection = scope.collection();
      const writer = driver.db.bulkWriter();
      writer.onWriteError(() => false);
      const doc = (id) => driver.db.doc(`${collection}/${id}`);
      await driver.set(`${collection}/there`, { n: 0 });
      const outcomes = [
        writer.set(doc('a'), { n: 1 }),
        writer.create(doc('there'), { n: 1 }),
        writer.update(doc('missing'), { n: 1 }),
        writer.delete(doc('never')),
      ].map((outcome) =>
        outcome.then(
          () => 'done',
          (error) => error.code,
        ),
      );
      await writer.close();
      equal(await Promise.all(outcomes), ['done', 6, 5, 'done']);
      equal(
        (await driver.query({ collection })).map((found) => found.id),
        ['a', 'there'],
      );
    },
  },
  {
    name: 'everything below a document can be deleted',
    needs: ['server'],
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.batch([
        ['set', `${collection}/a`, { n: 1 }],
        ['set', `${collection}/a/below/b`, { n: 1 }],
        ['set', `${collection}/a/below/b/deeper/c`, { n: 1 }],
        ['set', `${collection}/z`, { n: 1 }],
      ]);
      await driver.db.recursiveDelete(driver.db.doc(`${collection}/a`));
      equal(
        (await driver.query({ collection })).map((found) => found.id),
        ['z'],
      );
      equal(await driver.get(`${collection}/a/below/b/deeper/c`), undefined);
    },
  },
];
