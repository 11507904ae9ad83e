import { connectStorageEmulator, type FirebaseStorage, getStorage } from '@sdk/storage';
import { assertServer } from './database.ts';
import { getServices } from './firebase.ts';

let storage: FirebaseStorage | undefined;

/** The file store, set up on first use. */
export function fileStore(): FirebaseStorage {
  assertServer();
  if (!storage) {
    storage = getStorage(getServices().app);
    if (__OFFICIAL_SDK__) {
      // The official package would call Google; the shim's own default is this host.
      const { hostname, port, protocol } = window.location;
      connectStorageEmulator(storage, hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
    }
  }
  return storage;
}
