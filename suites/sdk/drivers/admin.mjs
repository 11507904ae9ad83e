/** `firebase-admin` (gRPC), with the Firestore SDK that it brings. */

import { deleteApp, initializeApp } from 'firebase-admin/app';
import * as sdk from 'firebase-admin/firestore';
import { makeServerDriver, settingsOf } from './server.mjs';

let apps = 0;

export function adminDriver({ name, host, port }) {
  const open = (at = { host, port }, as = {}) => {
    const settings = settingsOf(at, as);
    const app = initializeApp({ projectId: 'demo-suite' }, `${name}-${++apps}`);
    const db = sdk.initializeFirestore(app, {}, ...(as.database ? [as.database] : []));
    db.settings(settings);
    return makeServerDriver({ name, sdk, db, another: open, close: () => deleteApp(app) });
  };
  return open();
}
