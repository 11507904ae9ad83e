// firebase/storage, as it is, signed in with an unsigned token.
import { initializeApp } from 'firebase/app';
import * as sdk from 'firebase/storage';

import { BUCKET, PROJECT, unsignedToken } from './common.mjs';

export { sdk };

/** The files as one user sees them; the empty user is nobody. */
export function storageOf(origin, uid) {
  const { hostname, port } = new URL(origin);
  const app = initializeApp({ projectId: PROJECT, storageBucket: BUCKET, apiKey: 'key' }, `official-${uid}`);
  const storage = sdk.getStorage(app);
  const options = uid ? { mockUserToken: unsignedToken(uid) } : {};
  sdk.connectStorageEmulator(storage, hostname, Number(port), options);
  return storage;
}
