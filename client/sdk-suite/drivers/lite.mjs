/** `firebase/firestore/lite`: REST only. */

import { deleteApp, initializeApp } from 'firebase/app';
import * as sdk from 'firebase/firestore/lite';
import { common } from './modular.mjs';

let apps = 0;

export function liteDriver({ name, host, port }) {
  const open = () => {
    const app = initializeApp({ projectId: 'demo-suite', apiKey: 'key' }, `${name}-${++apps}`);
    const db = sdk.initializeFirestore(app, {});
    sdk.connectFirestoreEmulator(db, host, port);
    const close = async () => {
      await sdk.terminate(db);
      await deleteApp(app);
    };
    // This client judges by the HTTP status alone, and takes 400 for a failed precondition.
    const badRequest = 'failed-precondition';
    return { ...common(sdk, db), name, can: new Set(['modular']), badRequest, another: open, close };
  };
  return open();
}
