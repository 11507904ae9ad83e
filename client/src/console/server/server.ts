/** The server the console belongs to, asked with the key of the emulator's owner. */

import { type Firestore, getFirestore } from '@sdk/firestore';
import type { Database } from '../../sdk/firestore/database.ts';
import { createCore, type FirebaseOptions } from '../../sdk/internal/app-core.ts';
import { browserPlatform } from '../../sdk/internal/platform.ts';

/** The token that an emulator takes for its owner's. A server for real users refuses it. */
const OWNER = 'owner';
/** Says that a request is the console's own, and not the work of what is being watched. */
const OWN_HEADER = 'X-Tuckbox-Console';

/** Facts about the server, as it reports them. */
export interface ServerInfo {
  readonly projectId: string;
  readonly apiKey: string;
  readonly bucket: string;
  readonly region: string;
  readonly version: string;
  readonly mode: string;
}

/** The server answered that it will not, or did not answer. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

let info: ServerInfo | undefined;

/** The server, once `connect` is done. */
export function server(): ServerInfo {
  if (!info) throw new Error('connect() must come first.');
  return info;
}

/** Learns about the server and opens its database. */
export async function connect(): Promise<ServerInfo> {
  const config = await ask<FirebaseOptions & { tuckbox?: Record<string, string> }>('/__/firebase/init.json');
  const { projectId = '', apiKey = '', storageBucket = '', tuckbox = {} } = config;
  if (tuckbox.mode !== 'emulator') {
    throw new RequestFailed(
      'This server runs for real users. The console works on servers started with --mode emulator.',
      403,
    );
  }
  const platform = browserPlatform();
  const core = createCore(config, '[DEFAULT]', {
    ...platform,
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      headers.set(OWN_HEADER, '1');
      return platform.fetch(url, { ...init, headers });
    },
  });
  core.authTokens = { getToken: () => Promise.resolve(OWNER), onChange: () => () => {} };
  info = {
    projectId,
    apiKey,
    bucket: storageBucket,
    region: tuckbox.region ?? 'us-central1',
    version: tuckbox.version ?? '',
    mode: tuckbox.mode,
  };
  return info;
}

/** A database of the project; its streams deliver documents as they are on the wire. */
export function database(id: string): Database {
  const firestore: Firestore = getFirestore(undefined, id);
  return firestore as Database;
}

/** Options of a request. */
export interface Ask {
  readonly method?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  /** Token of the user to act as, in place of the owner's; null for an unauthenticated request. */
  readonly token?: string | null;
  /** True if the request should appear in the log of requests. */
  readonly seen?: boolean;
  readonly signal?: AbortSignal;
}

/** Asks the server and gives its answer as it is. Fails only when there is none. */
export async function send(path: string, ask: Ask = {}): Promise<Response> {
  const headers = new Headers(ask.headers);
  const { token = OWNER } = ask;
  if (token !== null && !headers.has('Authorization')) headers.set('Authorization', `Bearer ${token}`);
  if (!ask.seen) headers.set(OWN_HEADER, '1');
  if (ask.json !== undefined) headers.set('Content-Type', 'application/json');
  const body = ask.json === undefined ? (ask.body ?? null) : JSON.stringify(ask.json);
  try {
    return await fetch(path, {
      method: ask.method ?? (body === null ? 'GET' : 'POST'),
      headers,
      body,
      ...(ask.signal && { signal: ask.signal }),
    });
  } catch (error) {
    if (ask.signal?.aborted) throw error;
    throw new RequestFailed('The server cannot be reached. Is it running?', 0);
  }
}

/** Asks the server for JSON. */
export async function ask<T>(path: string, options: Ask = {}): Promise<T> {
  const response = await send(path, options);
  const text = await response.text();
  if (!response.ok) throw new RequestFailed(reason(text, response.status), response.status);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

/** Error message of a reply. */
export function reason(text: string, status: number): string {
  try {
    const body = JSON.parse(text) as { error?: { message?: string } | string; message?: string };
    const message = typeof body.error === 'string' ? body.error : (body.error?.message ?? body.message);
    if (message) return message;
  } catch {
    // Not JSON: plain text, most often.
  }
  return text.length > 0 && text.length < 400 && !text.trimStart().startsWith('<')
    ? text.trim()
    : `The server answered ${status}.`;
}

/** The words for any failure. */
export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The console's own endpoints of this project. */
export function emulator(rest: string): string {
  return `/emulator/v1/projects/${encodeURIComponent(server().projectId)}/${rest}`;
}
