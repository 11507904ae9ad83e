import type { Database } from './database.ts';
import { errorFromHttp, FirestoreError } from './error.ts';

/** Timeout of one call that is not a stream, in milliseconds. */
const CALL_TIMEOUT_MS = 60_000;

/** Headers of a call: the caller's ID token when somebody is signed in. */
export async function callHeaders(database: Database, forceRefresh = false): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  const token = await database.core.authTokens?.getToken(forceRefresh).catch(() => null);
  if (token) headers.Authorization = `Bearer ${token}`;
  return headers;
}

/**
 * Posts to `documents:{method}` and answers the parsed body. A call refused as unauthenticated is
 * repeated once with a new token: the clock of this machine may be wrong about the old one.
 */
export async function post(database: Database, resource: string, body: unknown): Promise<unknown> {
  if (database.backend) return database.backend.post(resource, body);
  try {
    return await postOnce(database, resource, body, false);
  } catch (error) {
    if (!(error instanceof FirestoreError) || error.code !== 'unauthenticated' || !database.core.authTokens)
      throw error;
    return postOnce(database, resource, body, true);
  }
}

async function postOnce(
  database: Database,
  resource: string,
  body: unknown,
  forceRefresh: boolean,
): Promise<unknown> {
  const { platform } = database.core;
  const headers = await callHeaders(database, forceRefresh);
  const abort = new AbortController();
  const cancelTimer = platform.setTimer(() => abort.abort(), CALL_TIMEOUT_MS);
  let response: Response;
  let json: unknown;
  try {
    response = await platform.fetch(`${database.origin}/v1/${encodeResource(resource)}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      // A page may be left right after an act: its write still arrives.
      keepalive: resource.endsWith(':commit'),
      signal: abort.signal,
    });
    json = await response.json().catch(() => null);
  } catch {
    throw abort.signal.aborted
      ? new FirestoreError('deadline-exceeded', 'The database did not answer in time.')
      : new FirestoreError('unavailable', 'The database could not be reached.');
  } finally {
    cancelTimer();
  }
  if (!response.ok) throw errorFromHttp(response.status, json);
  return json;
}

/** Encodes a resource path, its slashes and the method's colon apart. */
function encodeResource(resource: string): string {
  const at = resource.lastIndexOf(':');
  const path = resource.slice(0, at).split('/').map(encodeURIComponent).join('/');
  return `${path.replace(/%28default%29/gi, '(default)')}${resource.slice(at)}`;
}
