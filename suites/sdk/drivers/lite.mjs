/** `firebase/firestore/lite`: REST only. */

import { deleteApp, initializeApp } from 'firebase/app';
import * as sdk from 'firebase/firestore/lite';
import { common, MODULAR } from './modular.mjs';

let apps = 0;

export function liteDriver({ name, host, port }) {
  const open = (at = { host, port }, { token, database } = {}) => {
    const app = initializeApp({ projectId: 'demo-suite', apiKey: 'key' }, `${name}-${++apps}`);
    const db = sdk.initializeFirestore(app, {}, ...(database ? [database] : []));
    sdk.connectFirestoreEmulator(db, at.host, at.port, { mockUserToken: token });
    const close = async () => {
      await sdk.terminate(db);
      await deleteApp(app);
    };
    // This client judges by the HTTP status alone, and takes 400 for a failed precondition.
    const badRequest = 'failed-precondition';
    return { ...common(sdk, db), name, can: new Set(MODULAR), badRequest, another: open, close };
  };
  return open();
}
