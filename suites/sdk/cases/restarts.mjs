/** A server that restarts on the same folder. */

import { Events, equal, truthy } from '../check.mjs';

const settled = (event) => !event.fromCache && !event.pending;

/** Documents watched, and letters in each: half a megabyte in all. */
const [DOCUMENTS, LETTERS] = [250, 2_000];

/** Wait for a client to come back, in milliseconds: a browser's first probes its network for ten seconds. */
const PATIENCE = 60_000;

const restart = (signal) => ({
  name: `a listener goes on after ${signal} and gets only what changed`,
  needs: ['listen'],
  limit: 2 * PATIENCE,
  async run(driver, scope) {
    const { host } = scope;
    const at = await host.startServer();
    const [client, writer] = [driver.another(at), driver.another(at)];
    try {
      const collection = scope.collection();
      const ids = Array.from({ length: DOCUMENTS }, (_one, index) => `d${String(index).padStart(3, '0')}`);
      const text = 'x'.repeat(LETTERS);
      await writer.batch(ids.map((id) => ['set', `${collection}/${id}`, { text, n: 0 }]));
      const events = new Events();
      const stop = client.listen({ collection }, events, { onMetadata: true });
      equal((await events.next(settled)).ids, ids);
      // After the event of this write the client has everything, and the token to resume with.
      await writer.set(`${collection}/d000`, { n: 1 });
      await events.next((event) => settled(event) && event.docs[0].data.n === 1);

      await host.restartServer(at.id, signal);
      const before = await host.sentBy(at.id);
      await writer.set(`${collection}/d001`, { n: 2 });
      await writer.remove(`${collection}/d002`);
      const done = (event) =>
        settled(event) && event.docs[1].data.n === 2 && event.ids.length === DOCUMENTS - 1;
      const event = await events.next(done, PATIENCE);
      equal(
        event.ids,
        ids.filter((id) => id !== 'd002'),
      );
      const sent = (await host.sentBy(at.id)) - before;
      truthy(sent < (DOCUMENTS * LETTERS) / 4, `only what changed is sent, not ${sent} bytes`);
      stop();
    } finally {
      await client.close();
      await writer.close();
      await host.stopServer(at.id);
    }
  },
});

export const restarts = [restart('SIGTERM'), restart('SIGKILL')];
