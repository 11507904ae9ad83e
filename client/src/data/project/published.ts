import { deleteObject, getDownloadURL, listAll, ref, uploadBytes } from '@sdk/storage';
import { fileStore } from '../server/files.ts';
import type { Project } from './open-project.ts';

/** Largest picture that this host's rules take, in bytes. */
export const MAX_PUBLISHED_BYTES = 20 * 1024 * 1024;

/** A folder for pictures that anybody may fetch who knows their addresses, which nobody can guess. */
export interface PublicFolder {
  /** Path in the file store. */
  readonly path: string;
  /** Stores a picture and answers its address. */
  put(name: string, bytes: Uint8Array, type: string): Promise<string>;
}

/** @param project project the pictures belong to: they go when its files go */
export function newPublicFolder(project: Project): PublicFolder {
  const path = project.newExportFolder();
  const storage = fileStore();
  return {
    path,
    async put(name, bytes, type) {
      if (bytes.length > MAX_PUBLISHED_BYTES) {
        throw new Error(
          `${name} has ${Math.ceil(bytes.length / 1e6)} MB; this host takes ${Math.floor(MAX_PUBLISHED_BYTES / 1e6)} MB a picture. Choose JPEG or a lower resolution.`,
        );
      }
      const file = ref(storage, `${path}/${name}`);
      await uploadBytes(file, bytes, { contentType: type });
      return getDownloadURL(file);
    },
  };
}

/**
 * Removes what was stored for a save that was not finished.
 * @throws the first refusal, when others could be removed still
 */
export async function removePublicFolder(path: string): Promise<void> {
  const { items } = await listAll(ref(fileStore(), path));
  const removed = await Promise.allSettled(items.map((item) => deleteObject(item)));
  const failed = removed.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
