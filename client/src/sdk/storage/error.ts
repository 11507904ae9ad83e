import { FirebaseError } from '../internal/error.ts';

/** Codes of failed file operations, without the `storage/` prefix. */
export type StorageErrorCode =
  | 'unknown'
  | 'object-not-found'
  | 'quota-exceeded'
  | 'unauthenticated'
  | 'unauthorized'
  | 'retry-limit-exceeded'
  | 'canceled'
  | 'invalid-argument'
  | 'invalid-url'
  | 'invalid-root-operation'
  | 'no-default-bucket'
  | 'cannot-slice-blob'
  | 'server-file-wrong-size';

/** Error of every file operation. */
export class StorageError extends FirebaseError {
  /** HTTP status, 0 when there was no reply. */
  readonly status: number;
  /** The server's message; `null` if there was none. */
  readonly serverResponse: string | null;

  constructor(code: StorageErrorCode, message: string, status = 0, serverResponse: string | null = null) {
    super(`storage/${code}`, `Firebase Storage: ${message} (storage/${code})`);
    this.status = status;
    this.serverResponse = serverResponse;
  }
}

/** The error that a reply stands for. */
export function errorForStatus(status: number, body: string, path: string): StorageError {
  const said = serverMessage(body);
  switch (status) {
    case 401:
      return new StorageError('unauthenticated', 'Sign in again, then retry.', status, body);
    case 402:
      return new StorageError('quota-exceeded', said || 'The quota is used up.', status, body);
    case 403:
      return new StorageError(
        'unauthorized',
        `User does not have permission to access '${path}'.`,
        status,
        body,
      );
    case 404:
      return new StorageError('object-not-found', `Object '${path}' does not exist.`, status, body);
    default:
      return new StorageError('unknown', said || `The server answered ${status}.`, status, body);
  }
}

function serverMessage(body: string): string {
  try {
    const parsed = JSON.parse(body) as { error?: { message?: unknown } };
    return typeof parsed.error?.message === 'string' ? parsed.error.message : '';
  } catch {
    return body.slice(0, 200);
  }
}
