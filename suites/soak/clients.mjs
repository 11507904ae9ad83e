/** The kinds of client that come and go. */

import { resolve } from 'node:path';
import { Firestore } from '@google-cloud/firestore';
import { openChrome } from '../sdk/chrome.mjs';
import { loadShim, openShim } from '../sdk/drivers/shim.mjs';
import { Actor } from './actor.mjs';
import { modularSdk, webSdk } from './web.mjs';

/** Divisor of the shim's waits, so that it gives up within a round where it would take minutes. */
const HASTE = 10;

function serverSdk({ host, port, collection }) {
  const db = new Firestore({ projectId: 'demo-soak', host: `${host}:${port}`, ssl: false });
  return {
    listen(next, failed) {
      return db.collection(collection).onSnapshot(
        (snapshot) =>
          next({
            documents: Object.fromEntries(snapshot.docs.map((doc) => [doc.id, doc.data().n])),
            fromCache: false,
            pending: false,
          }),
        failed,
      );
    },
    async write(ids, n) {
      const batch = db.batch();
      for (const id of ids) {
        const ref = db.collection(collection).doc(id);
        if (n === null) batch.delete(ref);
        else batch.set(ref, { n, text: 'x'.repeat(200) });
      }
      await batch.commit();
    },
    close: () => db.terminate(),
  };
}

/**
 * Answers `{ make, close }`; `make(kind, name)` opens a client and starts it watching. The shim reaches the server at a
 * port of its own.
 */
export function openClients({ host, port, shimPort, collection, ledger }) {
  process.env.FIRESTORE_EMULATOR_HOST = `${host}:${port}`;
  process.env.METADATA_SERVER_DETECTION = 'none';
  let chrome;
  let shim;

  const inNode = (makeSdk) => (name) =>
    new Actor({ sdk: makeSdk({ host, port, name, collection }), ledger, name });

  const inPage = (settings) => async (name) => {
    chrome ??= openChrome(resolve(import.meta.dirname, 'page.mjs'));
    const { url, browser } = await chrome;
    const page = await browser.newPage();
    for (const call of ['attempt', 'acknowledged', 'failed']) {
      await page.exposeFunction(`ledger_${call}`, (...args) => ledger[call](...args));
    }
    await page.goto(url);
    const options = { host, port, name, collection, settings };
    await page.evaluate((given) => globalThis.suite.open(given), options);
    const call = (method) => () => page.evaluate((own) => globalThis.actor[own](), method);
    return {
      watch: call('watch'),
      resume: call('resume'),
      pause: call('pause'),
      view: call('view'),
      wrong: call('wrong'),
      // The page goes without a word, as pages do.
      close: () => page.close(),
    };
  };

  const kinds = {
    server: inNode(serverSdk),
    shim: async (name) => {
      shim ??= loadShim();
      const own = await shim;
      const db = openShim(own, { name, host, port: shimPort, projectId: 'demo-soak', haste: HASTE });
      const sdk = modularSdk(own, db, { collection, listenTo: own.onSnapshot, close: async () => {} });
      return new Actor({ sdk, ledger, name });
    },
    web: inNode(webSdk),
    page: inPage({}),
    polling: inPage({ experimentalForceLongPolling: true }),
  };

  return {
    async make(kind, name) {
      const client = await kinds[kind](name);
      await client.watch();
      return client;
    },
    async close() {
      if (chrome) await (await chrome).close();
    },
  };
}
