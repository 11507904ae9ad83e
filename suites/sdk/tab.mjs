/** One tab of an application that keeps its data in IndexedDB, shared with its other tabs. */

import { initializeApp } from 'firebase/app';
import * as sdk from 'firebase/firestore';
import { Events } from './check.mjs';

/**
 * A tab's wait for an event, in milliseconds. The tab that takes over from a closed one looks every 4 s for a lease
 * that is 5 s old, and then connects: 10 s on an idle machine, and timers run late on a busy one.
 */
const PATIENCE = 30_000;

/** Opens the tab's client: `globalThis.tab`, which the suite drives from outside. */
export function openTab({ host, port, appName, log }) {
  sdk.setLogLevel(log ?? 'silent');
  const app = initializeApp({ projectId: 'demo-suite', apiKey: 'key' }, appName);
  const localCache = sdk.persistentLocalCache({ tabManager: sdk.persistentMultipleTabManager() });
  const db = sdk.initializeFirestore(app, { localCache });
  sdk.connectFirestoreEmulator(db, host, port);
  const events = new Events();
  globalThis.tab = {
    listen(collection) {
      const query = sdk.query(sdk.collection(db, collection), sdk.orderBy('n'));
      sdk.onSnapshot(
        query,
        { includeMetadataChanges: true },
        (snapshot) =>
          events.push({
            numbers: snapshot.docs.map((doc) => doc.data().n),
            pending: snapshot.metadata.hasPendingWrites,
            fromCache: snapshot.metadata.fromCache,
          }),
        (error) => events.fail(error),
      );
    },
    /** The next event that shows these numbers, in this state. */
    seen: ({ numbers, pending = false, fromCache = false }) =>
      events.next(
        (event) =>
          event.numbers.join() === numbers.join() &&
          event.pending === pending &&
          event.fromCache === fromCache,
        PATIENCE,
      ),
    /** Writes without waiting for the server. */
    write(path, data) {
      sdk.setDoc(sdk.doc(db, path), data);
    },
    flushed: () => sdk.waitForPendingWrites(db),
    offline: () => sdk.disableNetwork(db),
    online: () => sdk.enableNetwork(db),
    async cached(path) {
      return (await sdk.getDocFromCache(sdk.doc(db, path))).data();
    },
  };
}
