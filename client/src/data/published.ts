import { getDownloadURL, ref, uploadBytes } from '@sdk/storage';
import { fileStore } from './files.ts';
import { sessionUser } from './session.ts';

/** Largest picture that this host's rules take, in bytes. */
export const MAX_PUBLISHED_BYTES = 20 * 1024 * 1024;

/** A folder for pictures that anybody may fetch who knows their addresses, which nobody can guess. */
export interface PublicFolder {
  /** Stores a picture and answers its address. */
  put(name: string, bytes: Uint8Array, type: string): Promise<string>;
}

/** @param deck project the pictures belong to: they go when its files go */
export function newPublicFolder(deck: string): PublicFolder {
  const user = sessionUser();
  if (!user) throw new Error('This needs a signed-in user.');
  const root = `users/${user.uid}/decks/${deck}/exports/${crypto.randomUUID()}`;
  const storage = fileStore();
  return {
    async put(name, bytes, type) {
      if (bytes.length > MAX_PUBLISHED_BYTES) {
        throw new Error(
          `${name} has ${Math.ceil(bytes.length / 1e6)} MB; this host takes ${Math.floor(MAX_PUBLISHED_BYTES / 1e6)} MB a picture. Choose JPEG or a lower resolution.`,
        );
      }
      const file = ref(storage, `${root}/${name}`);
      await uploadBytes(file, bytes, { contentType: type });
      return getDownloadURL(file);
    },
  };
}
