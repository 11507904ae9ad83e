import { StorageError } from './error.ts';
import {
  type FullMetadata,
  fromWire,
  type SettableMetadata,
  toWire,
  type UploadMetadata,
} from './metadata.ts';
import { Reference, type StorageReference } from './reference.ts';
import { type FileRequest, MAX_OPERATION_RETRY_MS, MAX_UPLOAD_RETRY_MS, send } from './request.ts';

/** Most results on a page of a listing. */
export const MAX_LIST_RESULTS = 1000;

/** Contents of a folder. */
export interface ListResult {
  prefixes: StorageReference[];
  items: StorageReference[];
  nextPageToken?: string;
}

/** Options of a listing's page. */
export interface ListOptions {
  maxResults?: number | null;
  pageToken?: string | null;
}

/** Result of one upload. */
export interface UploadResult {
  readonly metadata: FullMetadata;
  readonly ref: StorageReference;
}

function of(ref: StorageReference): Reference {
  if (ref instanceof Reference) return ref;
  throw new StorageError('invalid-argument', 'The reference was not made by ref().');
}

function ask(
  ref: Reference,
  request: Pick<FileRequest, 'method' | 'url'> & Partial<FileRequest>,
): Promise<Response> {
  return send(ref.storage.core, { path: ref.fullPath, maxRetryMs: MAX_OPERATION_RETRY_MS, ...request });
}

/** Bytes of any kind as a blob. */
export function toBlob(data: Blob | Uint8Array | ArrayBuffer, type = ''): Blob {
  if (data instanceof Blob) return data;
  // A copy: the caller may change its buffer while the upload runs.
  return new Blob([data instanceof ArrayBuffer ? data.slice(0) : new Uint8Array(data)], { type });
}

/** Stores a file in one request. */
export async function uploadBytes(
  ref: StorageReference,
  data: Blob | Uint8Array | ArrayBuffer,
  metadata: UploadMetadata = {},
): Promise<UploadResult> {
  const target = of(ref);
  target.objectUrl('uploadBytes');
  const blob = toBlob(data);
  const type = metadata.contentType ?? blob.type;
  const wire = {
    name: target.fullPath,
    ...toWire(metadata),
    ...(type ? { contentType: type } : {}),
  };
  const boundary = Array.from(target.storage.core.platform.randomBytes(16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  const head =
    `--${boundary}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${JSON.stringify(wire)}\r\n` +
    `--${boundary}\r\nContent-Type: ${type || 'application/octet-stream'}\r\n\r\n`;
  const reply = await ask(target, {
    method: 'POST',
    url: `${target.bucketUrl}?name=${encodeURIComponent(target.fullPath)}`,
    headers: {
      'X-Goog-Upload-Protocol': 'multipart',
      'Content-Type': `multipart/related; boundary=${boundary}`,
    },
    body: new Blob([head, blob, `\r\n--${boundary}--`]),
    maxRetryMs: MAX_UPLOAD_RETRY_MS,
  });
  return { metadata: fromWire(await reply.json(), target), ref: target };
}

/** A file's metadata. */
export async function getMetadata(ref: StorageReference): Promise<FullMetadata> {
  const target = of(ref);
  const reply = await ask(target, { method: 'GET', url: target.objectUrl('getMetadata') });
  return fromWire(await reply.json(), target);
}

/** Changes metadata: what is absent stays, `null` removes. */
export async function updateMetadata(
  ref: StorageReference,
  metadata: SettableMetadata,
): Promise<FullMetadata> {
  const target = of(ref);
  const reply = await ask(target, {
    method: 'PATCH',
    url: target.objectUrl('updateMetadata'),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(toWire(metadata)),
  });
  return fromWire(await reply.json(), target);
}

/** An address that opens the file to whoever has it, until its token is revoked. */
export async function getDownloadURL(ref: StorageReference): Promise<string> {
  const target = of(ref);
  const { downloadTokens } = await getMetadata(ref);
  const token = downloadTokens?.[0];
  if (token === undefined)
    throw new StorageError('unknown', 'The given file does not have any download URLs.');
  return `${target.objectUrl('getDownloadURL')}?alt=media&token=${encodeURIComponent(token)}`;
}

/** A file's bytes as a blob, the first `maxBytes` of them. */
export async function getBlob(ref: StorageReference, maxBytes?: number): Promise<Blob> {
  const target = of(ref);
  const url = `${target.objectUrl('getBlob')}?alt=media`;
  // A range of an empty file does not exist: ask for all of it and cut.
  const headers = maxBytes === undefined || maxBytes <= 0 ? {} : { Range: `bytes=0-${maxBytes - 1}` };
  const blob = await ask(target, { method: 'GET', url, headers })
    .catch((error: unknown) => {
      if (error instanceof StorageError && error.status === 416) return ask(target, { method: 'GET', url });
      throw error;
    })
    .then((reply) => reply.blob());
  return maxBytes === undefined ? blob : blob.slice(0, maxBytes, blob.type);
}

/** A file's bytes, the first `maxBytes` of them. */
export async function getBytes(ref: StorageReference, maxBytes?: number): Promise<ArrayBuffer> {
  return (await getBlob(ref, maxBytes)).arrayBuffer();
}

/** One page of what lies below a folder. */
export async function list(ref: StorageReference, options: ListOptions = {}): Promise<ListResult> {
  const target = of(ref);
  const { maxResults, pageToken } = options;
  if (typeof maxResults === 'number' && (maxResults < 1 || maxResults > MAX_LIST_RESULTS)) {
    throw new StorageError('invalid-argument', `maxResults must be 1 to ${MAX_LIST_RESULTS}.`);
  }
  const query = new URLSearchParams({
    prefix: target.fullPath === '' ? '' : `${target.fullPath}/`,
    delimiter: '/',
    ...(pageToken ? { pageToken } : {}),
    ...(maxResults ? { maxResults: String(maxResults) } : {}),
  });
  const reply = await ask(target, { method: 'GET', url: `${target.bucketUrl}?${query}` });
  const page = (await reply.json()) as {
    prefixes?: string[];
    items?: { name: string }[];
    nextPageToken?: string;
  };
  const at = (path: string) => new Reference(target.storage, target.bucket, path);
  return {
    prefixes: (page.prefixes ?? []).map(at),
    items: (page.items ?? []).map((item) => at(item.name)),
    ...(page.nextPageToken === undefined ? {} : { nextPageToken: page.nextPageToken }),
  };
}

/** All that lies below a folder, however many pages it takes. */
export async function listAll(ref: StorageReference): Promise<ListResult> {
  const all: ListResult = { prefixes: [], items: [] };
  for (let pageToken: string | undefined; ; ) {
    const page = await list(ref, pageToken === undefined ? {} : { pageToken });
    all.prefixes.push(...page.prefixes);
    all.items.push(...page.items);
    if (page.nextPageToken === undefined) return all;
    pageToken = page.nextPageToken;
  }
}

/** Deletes a file. */
export async function deleteObject(ref: StorageReference): Promise<void> {
  const target = of(ref);
  await ask(target, { method: 'DELETE', url: target.objectUrl('deleteObject') });
}
