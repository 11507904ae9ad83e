/** `firebase-admin` (gRPC), with the Firestore SDK that it brings. */

import { deleteApp, initializeApp } from 'firebase-admin/app';
import * as sdk from 'firebase-admin/firestore';
import { makeServerDriver } from './server.mjs';

let apps = 0;

export function adminDriver({ name, host, port }) {
  const open = (at = { host, port }) => {
    const app = initializeApp({ projectId: 'demo-suite' }, `${name}-${++apps}`);
    const db = sdk.initializeFirestore(app);
    db.settings({ host: `${at.host}:${at.port}`, ssl: false });
    return makeServerDriver({ name, sdk, db, another: open, close: () => deleteApp(app) });
  };
  process.env.FIRESTORE_EMULATOR_HOST = `${host}:${port}`;
  process.env.METADATA_SERVER_DETECTION = 'none';
  return open();
}
