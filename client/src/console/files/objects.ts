/** Files, by the operations that administrators' SDKs use. */

import { ask, RequestFailed, reason, send } from '../server/server.ts';

/** A stored file. */
export interface StoredFile {
  readonly name: string;
  readonly bucket: string;
  /** Bytes, in decimal digits. */
  readonly size: string;
  readonly contentType?: string;
  readonly timeCreated?: string;
  readonly updated?: string;
  readonly md5Hash?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Contents of a folder. */
export interface Folder {
  /** Folders in it, each with a slash at its end. */
  readonly prefixes: readonly string[];
  readonly items: readonly StoredFile[];
  /** True if the list is incomplete. */
  readonly more: boolean;
}

/** Most entries listed. */
const MOST = 1_000;

function objects(bucket: string, object?: string): string {
  const base = `/storage/v1/b/${encodeURIComponent(bucket)}/o`;
  return object === undefined ? base : `${base}/${encodeURIComponent(object)}`;
}

/** The buckets there are, the project's own first. */
export async function listBuckets(own: string): Promise<readonly string[]> {
  const { items = [] } = await ask<{ items?: { name: string }[] }>('/storage/v1/b');
  return [...new Set([own, ...items.map(({ name }) => name)])];
}

/** Contents of a folder; `prefix` is empty or ends with a slash. */
export async function listFolder(bucket: string, prefix: string): Promise<Folder> {
  const query = new URLSearchParams({ prefix, delimiter: '/', maxResults: String(MOST) });
  const {
    prefixes = [],
    items = [],
    nextPageToken,
  } = await ask<{
    prefixes?: string[];
    items?: StoredFile[];
    nextPageToken?: string;
  }>(`${objects(bucket)}?${query}`);
  return { prefixes, items, more: nextPageToken !== undefined };
}

/** Stores a file. */
export async function upload(bucket: string, name: string, file: File): Promise<void> {
  const query = new URLSearchParams({ uploadType: 'media', name });
  await ask(`/upload${objects(bucket)}?${query}`, {
    method: 'POST',
    body: file,
    headers: { 'Content-Type': file.type || 'application/octet-stream' },
  });
}

/** A file's bytes. */
export async function download({ bucket, name }: StoredFile): Promise<Blob> {
  const response = await send(`${objects(bucket, name)}?alt=media`);
  if (!response.ok) throw new RequestFailed(reason(await response.text(), response.status), response.status);
  return response.blob();
}

/** Deletes a file. */
export async function removeFile({ bucket, name }: StoredFile): Promise<void> {
  await ask(objects(bucket, name), { method: 'DELETE' });
}
