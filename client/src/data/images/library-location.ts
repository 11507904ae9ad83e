import { type CollectionReference, collection, type DocumentReference, doc } from '@sdk/firestore';
import type { LibraryKind } from '../../core/images/library.ts';
import { getDb } from '../database.ts';
import { imagesPath } from '../project/addresses.ts';
import { sessionUser } from '../session.ts';

/** Location of a library's images: their documents and their files. */
export interface LibraryLocation {
  readonly kind: LibraryKind;
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
export const USER_LIBRARY: LibraryLocation = {
  kind: 'image',
  images: () => collection(getDb(), ...imagesPath(uid())),
  image: (id) => doc(getDb(), ...imagesPath(uid()), id),
  get files() {
    return imagesPath(uid()).join('/');
  },
};

/** The images that admins offer to everybody on this server. */
export const STOCK_LIBRARY: LibraryLocation = {
  kind: 'stock',
  images: () => collection(getDb(), 'stock'),
  image: (id) => doc(getDb(), 'stock', id),
  files: 'stock/images',
};

export const libraryOf = (kind: LibraryKind): LibraryLocation =>
  kind === 'image' ? USER_LIBRARY : STOCK_LIBRARY;
