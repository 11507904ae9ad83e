import type { AppCore } from '../internal/app-core.ts';
import { errorForStatus, StorageError } from './error.ts';

/** Retry times of operations, in milliseconds: ten minutes for uploads, two for the rest. */
export const MAX_UPLOAD_RETRY_MS = 600_000;
export const MAX_OPERATION_RETRY_MS = 120_000;
/** The first wait before a retry, in milliseconds; it doubles up to the largest. */
export const FIRST_WAIT_MS = 500;
const LARGEST_WAIT_MS = 64_000;

/** One request to the file service. */
export interface FileRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit;
  /** The object's path, for messages. */
  readonly path: string;
  readonly signal?: AbortSignal;
  readonly maxRetryMs: number;
}

function isWorthRetrying(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || (status >= 500 && status !== 501);
}

function wait(core: AppCore, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = core.platform.setTimer(done, ms);
    const stopOnline = core.platform.onOnline(done);
    signal?.addEventListener('abort', aborted);
    function end(): void {
      cancel();
      stopOnline();
      signal?.removeEventListener('abort', aborted);
    }
    function done(): void {
      end();
      resolve();
    }
    function aborted(): void {
      end();
      reject(cancelled());
    }
  });
}

/** The error of an operation that was called off. */
export function cancelled(): StorageError {
  return new StorageError('canceled', 'User canceled the upload/download.');
}

/** Sends a request with the caller's token, again while that may help; a reply that is an error rejects. */
export async function send(core: AppCore, request: FileRequest): Promise<Response> {
  const giveUpAt = core.platform.now() + request.maxRetryMs;
  for (let delay = FIRST_WAIT_MS; ; delay = Math.min(delay * 2, LARGEST_WAIT_MS)) {
    if (request.signal?.aborted) throw cancelled();
    const reply = await once(core, request);
    if (reply?.ok) return reply;
    const status = reply?.status ?? 0;
    const body = (await reply?.text().catch(() => '')) ?? '';
    if (!isWorthRetrying(status)) throw errorForStatus(status, body, request.path);
    const pause = delay * (1 + core.platform.random());
    if (core.platform.now() + pause > giveUpAt) {
      const message = 'Max retry time for operation exceeded, please try again.';
      throw new StorageError('retry-limit-exceeded', message, status, body);
    }
    await wait(core, pause, request.signal);
  }
}

async function once(core: AppCore, request: FileRequest): Promise<Response | undefined> {
  const headers: Record<string, string> = { ...request.headers };
  const token = await core.authTokens?.getToken(false).catch(() => null);
  if (token) headers.Authorization = `Firebase ${token}`;
  try {
    return await core.platform.fetch(request.url, {
      method: request.method,
      headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
  } catch {
    if (request.signal?.aborted) throw cancelled();
    return undefined;
  }
}
