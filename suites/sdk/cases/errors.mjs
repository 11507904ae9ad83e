/** Refused requests and their errors. */

import { Events, equal, fails } from '../check.mjs';

/** Runs with a server of the case's own that has rules and accounts. */
async function withStrictServer(host, run) {
  const at = await host.startStrictServer();
  const clients = [];
  try {
    await run(at, (client) => {
      clients.push(client);
      return client;
    });
  } finally {
    // A client that still listens may refuse to close; what failed says more.
    await Promise.allSettled(clients.map((client) => client.close()));
    await host.stopServer(at.id);
  }
}

/** Limit of a case in which the server SDK tries a refused read five times, in milliseconds. */
const REFUSED = 60_000;

export const errors = [
  {
    name: 'what the rules forbid is permission-denied, and nothing else is touched by it',
    limit: REFUSED,
    async run(driver, { host, collection }) {
      const [mine, others] = [collection(), collection()];
      await withStrictServer(host, async (at, opened) => {
        const client = opened(driver.another(at, { token: await host.signUp(at.id) }));
        await client.set(`${mine}/open`, { n: 1 });
        await fails(client.set(`${mine}/shut`, { n: 1 }), 'permission-denied');
        await fails(client.get(`${mine}/shut`), 'permission-denied');
        await fails(client.query({ collection: others }), 'permission-denied');
        const both = [
          ['set', `${mine}/open`, { n: 2 }],
          ['set', `${mine}/shut`, { n: 2 }],
        ];
        await fails(client.batch(both), 'permission-denied');
        equal(await client.get(`${mine}/open`), { n: 1 });
        if (!driver.can.has('listen')) return;
        const [open, shut] = [new Events(), new Events()];
        const stop = client.listen({ doc: `${mine}/open` }, open, { onMetadata: true });
        await open.next((event) => event.exists && !event.fromCache);
        client.listen({ doc: `${mine}/shut` }, shut);
        await fails(
          shut.next(() => false),
          'permission-denied',
        );
        await client.set(`${mine}/open`, { n: 3 });
        await open.next((event) => event.data?.n === 3 && !event.pending);
        stop();
      });
    },
  },
  {
    name: 'a token that nobody issued is unauthenticated',
    limit: REFUSED,
    async run(driver, { host, collection }) {
      await withStrictServer(host, async (at, opened) => {
        const client = opened(driver.another(at, { token: 'nobody-issued-this' }));
        // Whoever keeps what it writes and watches until the token is good asks this at once.
        const asked = driver.can.has('aggregates')
          ? client.count({ collection: collection() })
          : client.get(`${collection()}/open`);
        await fails(asked, 'unauthenticated');
      });
    },
  },
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
