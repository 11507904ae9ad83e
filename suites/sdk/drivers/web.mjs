/** The modular `firebase/firestore`, in Node (gRPC) and in a browser (WebChannel). */

import { deleteApp, initializeApp } from 'firebase/app';
import * as sdk from 'firebase/firestore';
import { common, MODULAR } from './modular.mjs';

let apps = 0;

export function webDriver({ name, host, port, settings = {}, can = [] }) {
  const open = (at = { host, port }, { token, database } = {}) => {
    const app = initializeApp({ projectId: 'demo-suite', apiKey: 'key' }, `${name}-${++apps}`);
    const { persistent, ...rest } = settings;
    const localCache = persistent && sdk.persistentLocalCache({});
    const cached = { ...rest, ...(localCache && { localCache }) };
    const db = sdk.initializeFirestore(app, cached, ...(database ? [database] : []));
    sdk.connectFirestoreEmulator(db, at.host, at.port, { mockUserToken: token });
    return { app, db };
  };
  const { app, db } = open();
  const driver = make({ name, app, db, can });
  /**
   * Another client of the same kind, with a cache and connections of its own, maybe to another server or `database`, or
   * with somebody's `token`.
   */
  driver.another = (at, as) => {
    const other = open(at, as);
    return make({ name, ...other, can });
  };
  return driver;
}

function make({ name, app, db, can }) {
  const base = common(sdk, db);
  const target = (spec) => (spec.doc ? sdk.doc(db, spec.doc) : base.build(spec));
  return {
    ...base,
    name,
    can: new Set(['listen', 'metadata', 'offline', ...MODULAR, ...can]),
    listen(spec, events, options = {}) {
      const { onMetadata = false } = options;
      const next = (snapshot) => events.push(spec.doc ? base.oneEvent(snapshot) : base.manyEvent(snapshot));
      return sdk.onSnapshot(target(spec), { includeMetadataChanges: onMetadata }, next, (error) =>
        events.fail(error),
      );
    },
    offline: () => sdk.disableNetwork(db),
    online: () => sdk.enableNetwork(db),
    waitForPendingWrites: () => sdk.waitForPendingWrites(db),
    cached: async (path) => {
      const snapshot = await sdk.getDocFromCache(sdk.doc(db, path));
      return snapshot.exists() ? base.plain(snapshot.data()) : undefined;
    },
    loadBundle: (text) => sdk.loadBundle(db, text),
    namedQuery: async (queryName) => {
      const query = await sdk.namedQuery(db, queryName);
      return query && (await sdk.getDocsFromCache(query)).docs.map((doc) => doc.id);
    },
    /** The ids of a bundle's query once they fit. */
    liveNamedQuery: async (queryName, fits) => {
      const query = await sdk.namedQuery(db, queryName);
      return new Promise((done, failed) => {
        const stop = sdk.onSnapshot(
          query,
          (snapshot) => {
            const ids = snapshot.docs.map((doc) => doc.id);
            if (!fits(ids)) return;
            stop();
            done(ids);
          },
          failed,
        );
      });
    },
    snapshotsInSync: (listener) => sdk.onSnapshotsInSync(db, listener),
    async close() {
      await sdk.terminate(db);
      await deleteApp(app);
    },
  };
}
