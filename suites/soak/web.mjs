/** `firebase/firestore` for an [`Actor`], in Node (gRPC) and in a page (WebChannel). */

import { deleteApp, initializeApp } from 'firebase/app';
import * as firestore from 'firebase/firestore';

export function webSdk({ host, port, name, collection, settings = {} }) {
  firestore.setLogLevel('silent');
  const app = initializeApp({ projectId: 'demo-soak', apiKey: 'key' }, name);
  const db = firestore.initializeFirestore(app, settings);
  firestore.connectFirestoreEmulator(db, host, port);
  return modularSdk(firestore, db, {
    collection,
    listenTo: (query, ...callbacks) =>
      firestore.onSnapshot(query, { includeMetadataChanges: true }, ...callbacks),
    async close() {
      await firestore.terminate(db);
      await deleteApp(app);
    },
  });
}

/** The same for any client with that package's names. */
export function modularSdk(sdk, db, { collection, listenTo, close }) {
  return {
    listen(next, failed) {
      const query = sdk.collection(db, collection);
      return listenTo(
        query,
        (snapshot) =>
          next({
            documents: Object.fromEntries(snapshot.docs.map((doc) => [doc.id, doc.data().n])),
            fromCache: snapshot.metadata.fromCache,
            pending: snapshot.metadata.hasPendingWrites,
          }),
        failed,
      );
    },
    async write(ids, n) {
      const batch = sdk.writeBatch(db);
      for (const id of ids) {
        const ref = sdk.doc(db, collection, id);
        if (n === null) batch.delete(ref);
        else batch.set(ref, { n, text: 'x'.repeat(200) });
      }
      await batch.commit();
    },
    close,
  };
}
