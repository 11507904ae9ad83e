import { coreOf, type FirebaseApp, service } from './internal/app-core.ts';
import type { UploadMetadata } from './storage/metadata.ts';
import { toBlob } from './storage/operations.ts';
import {
  type FirebaseStorage,
  type Reference,
  resolve,
  type StorageReference,
  StorageService,
} from './storage/reference.ts';
import { type UploadContinuation, UploadTask } from './storage/upload-task.ts';

export { StorageError, type StorageErrorCode } from './storage/error.ts';
export type { FullMetadata, SettableMetadata, UploadMetadata } from './storage/metadata.ts';
export {
  deleteObject,
  getBlob,
  getBytes,
  getDownloadURL,
  getMetadata,
  type ListOptions,
  type ListResult,
  list,
  listAll,
  type UploadResult,
  updateMetadata,
  uploadBytes,
} from './storage/operations.ts';
export type { FirebaseStorage, StorageReference } from './storage/reference.ts';
export type { TaskState, UploadContinuation, UploadTask, UploadTaskSnapshot } from './storage/upload-task.ts';

/** The files of an app, in its own bucket or in `bucketUrl` (`gs://…`). */
export function getStorage(app?: FirebaseApp, bucketUrl?: string): FirebaseStorage {
  const core = coreOf(app);
  return service(core, `storage:${bucketUrl ?? ''}`, () => new StorageService(core.app, bucketUrl));
}

/** Sends everything to `http://host:port`. */
export function connectStorageEmulator(storage: FirebaseStorage, host: string, port: number): void {
  (storage as StorageService).emulatorOrigin = `http://${host}:${port}`;
}

/** The file or folder at a path, at a `gs://` or download address, or at a path below another reference. */
export function ref(from: FirebaseStorage | StorageReference, path?: string): StorageReference {
  return resolve(from, path);
}

/** Stores a file in as many requests as it takes; it can be paused, resumed, observed and called off. */
export function uploadBytesResumable(
  reference: StorageReference,
  data: Blob | Uint8Array | ArrayBuffer,
  metadata: UploadMetadata = {},
  continuation: UploadContinuation = {},
): UploadTask {
  const target = reference as Reference;
  target.objectUrl('uploadBytesResumable');
  return new UploadTask(target, toBlob(data), metadata, continuation);
}
