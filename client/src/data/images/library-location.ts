import { type CollectionReference, collection, type DocumentReference, doc } from '@sdk/firestore';
import type { LibraryKind } from '../../core/images/library.ts';
import { sessionUser } from '../account/session.ts';
import { imageFolder, libraryImagesPath, type Path, projectImagesPath } from '../project/addresses.ts';
import { getDb } from '../server/database.ts';

const PROJECT = 'project:';

/** A place of images: the signed-in user's library, the stock, or a project, by its id. */
export type ImagePlace = LibraryKind | `${typeof PROJECT}${string}`;

/** The images of a project. */
export const imagesOf = ({ id }: { readonly id: string }): ImagePlace => `${PROJECT}${id}`;

/** Id of the project whose images lie there; `undefined` for libraries. */
export const projectOfPlace = (place: ImagePlace): string | undefined =>
  place.startsWith(PROJECT) ? place.slice(PROJECT.length) : undefined;

/** Location of images: their documents and their files. */
export interface LibraryLocation {
  /** Kind of the references to them. */
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

const at = (path: () => Path, folder: () => string): LibraryLocation => ({
  kind: 'image',
  images: () => collection(getDb(), ...path()),
  image: (id) => doc(getDb(), ...path(), id),
  get files() {
    return folder();
  },
});

/** The signed-in user's own images. */
export const USER_LIBRARY: LibraryLocation = at(
  () => libraryImagesPath(uid()),
  () => imageFolder(uid()),
);

/** The images that admins offer to everybody on this server. */
export const STOCK_LIBRARY: LibraryLocation = {
  kind: 'stock',
  images: () => collection(getDb(), 'stock'),
  image: (id) => doc(getDb(), 'stock', id),
  files: 'stock/images',
};

/** The location of a place. */
export function locationOf(place: ImagePlace): LibraryLocation {
  const project = projectOfPlace(place);
  if (project !== undefined) {
    const path = projectImagesPath(project);
    return at(
      () => path,
      () => path.join('/'),
    );
  }
  return place === 'stock' ? STOCK_LIBRARY : USER_LIBRARY;
}
