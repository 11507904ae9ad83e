import { type CollectionReference, collection, type DocumentReference, doc } from '@sdk/firestore';
import { connectStorageEmulator, type FirebaseStorage, getStorage } from '@sdk/storage';
import type { ShelfKind } from '../../core/images/library.ts';
import { getDb } from '../database.ts';
import { getServices } from '../firebase.ts';
import { sessionUser } from '../session.ts';

/** Where the images of one library are: their documents and their files. */
export interface Shelf {
  readonly kind: ShelfKind;
  images(): CollectionReference;
  image(id: string): DocumentReference;
  /** Folder of the files. */
  readonly files: string;
}

function uid(): string {
  const user = sessionUser();
  if (!user) throw new Error('This needs a signed-in user.');
  return user.uid;
}

/** The signed-in user's own images. */
export const OWN_SHELF: Shelf = {
  kind: 'image',
  images: () => collection(getDb(), 'users', uid(), 'images'),
  image: (id) => doc(getDb(), 'users', uid(), 'images', id),
  get files() {
    return `users/${uid()}/images`;
  },
};

/** The images that admins offer to everybody on this server. */
export const STOCK_SHELF: Shelf = {
  kind: 'stock',
  images: () => collection(getDb(), 'stock'),
  image: (id) => doc(getDb(), 'stock', id),
  files: 'stock/images',
};

export const shelfOf = (kind: ShelfKind): Shelf => (kind === 'image' ? OWN_SHELF : STOCK_SHELF);

let storage: FirebaseStorage | undefined;

/** The file store, set up on first use. */
export function fileStore(): FirebaseStorage {
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
