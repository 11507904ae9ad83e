import { type AppCore, coreOf, type FirebaseApp } from '../internal/app-core.ts';
import { StorageError } from './error.ts';

/** The files of one bucket. */
export interface FirebaseStorage {
  readonly app: FirebaseApp;
}

/** A file or folder, which need not exist. */
export interface StorageReference {
  readonly bucket: string;
  readonly fullPath: string;
  readonly name: string;
  readonly parent: StorageReference | null;
  readonly root: StorageReference;
  readonly storage: FirebaseStorage;
  toString(): string;
}

/** The file service of one app and bucket. */
export class StorageService implements FirebaseStorage {
  readonly app: FirebaseApp;
  readonly core: AppCore;
  readonly bucket: string | undefined;
  /** Set by `connectStorageEmulator`. */
  emulatorOrigin: string | undefined;

  constructor(app: FirebaseApp, bucketUrl: string | undefined) {
    this.core = coreOf(app);
    this.app = app;
    const named = bucketUrl ?? app.options.storageBucket;
    this.bucket = named?.replace(/^gs:\/\//, '').replace(/\/.*$/, '') || undefined;
  }

  /** Scheme, host and port of the service. */
  get origin(): string {
    return this.emulatorOrigin ?? this.core.platform.origin;
  }
}

/** Removes empty segments and slashes at both ends. */
function clean(path: string): string {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');
}

export class Reference implements StorageReference {
  readonly storage: StorageService;
  readonly bucket: string;
  readonly fullPath: string;

  constructor(storage: StorageService, bucket: string, path: string) {
    this.storage = storage;
    this.bucket = bucket;
    this.fullPath = clean(path);
  }

  get name(): string {
    return this.fullPath.split('/').at(-1) ?? '';
  }

  get parent(): Reference | null {
    if (this.fullPath === '') return null;
    const end = this.fullPath.lastIndexOf('/');
    return new Reference(this.storage, this.bucket, end < 0 ? '' : this.fullPath.slice(0, end));
  }

  get root(): Reference {
    return new Reference(this.storage, this.bucket, '');
  }

  toString(): string {
    return `gs://${this.bucket}/${this.fullPath}`;
  }

  /** The address of the bucket's objects. */
  get bucketUrl(): string {
    return `${this.storage.origin}/v0/b/${this.bucket}/o`;
  }

  /** The address of this object. */
  objectUrl(operation: string): string {
    if (this.fullPath === '') {
      const message = `The operation '${operation}' cannot be performed on a root reference; name a file.`;
      throw new StorageError('invalid-root-operation', message);
    }
    return `${this.bucketUrl}/${encodeURIComponent(this.fullPath)}`;
  }
}

/** A reference from a service and a path or address, or from a reference and a path below it. */
export function resolve(from: FirebaseStorage | StorageReference, path = ''): Reference {
  if (from instanceof Reference) return new Reference(from.storage, from.bucket, `${from.fullPath}/${path}`);
  const service = from as StorageService;
  const address =
    /^gs:\/\/([^/]+)\/?(.*)$/.exec(path) ?? /^https?:\/\/[^/]+\/v0\/b\/([^/]+)\/o\/([^?]*)/.exec(path);
  if (address !== null) {
    const [, bucket = '', name = ''] = address;
    return new Reference(service, bucket, path.startsWith('gs:') ? name : decodeURIComponent(name));
  }
  if (/^[a-z]+:\/\//i.test(path))
    throw new StorageError('invalid-url', `'${path}' is not the address of a file.`);
  if (service.bucket === undefined) {
    throw new StorageError('no-default-bucket', 'No storageBucket is set in the configuration.');
  }
  return new Reference(service, service.bucket, path);
}
