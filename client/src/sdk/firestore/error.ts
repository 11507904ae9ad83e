import { FirebaseError } from '../internal/error.ts';

/** Why a database call failed. */
export type FirestoreErrorCode =
  | 'cancelled'
  | 'unknown'
  | 'invalid-argument'
  | 'deadline-exceeded'
  | 'not-found'
  | 'already-exists'
  | 'permission-denied'
  | 'resource-exhausted'
  | 'failed-precondition'
  | 'aborted'
  | 'out-of-range'
  | 'unimplemented'
  | 'internal'
  | 'unavailable'
  | 'data-loss'
  | 'unauthenticated';

/** Canonical codes by their number on the wire; index 0 is success. */
const CODES: readonly (FirestoreErrorCode | 'ok')[] = [
  'ok',
  'cancelled',
  'unknown',
  'invalid-argument',
  'deadline-exceeded',
  'not-found',
  'already-exists',
  'permission-denied',
  'resource-exhausted',
  'failed-precondition',
  'aborted',
  'out-of-range',
  'unimplemented',
  'internal',
  'unavailable',
  'data-loss',
  'unauthenticated',
];

/** Meaning of a reply without a server error: a proxy may have answered in the server's place. */
const CODE_OF_HTTP_STATUS: Readonly<Record<number, FirestoreErrorCode>> = {
  400: 'invalid-argument',
  401: 'unauthenticated',
  403: 'permission-denied',
  404: 'unavailable',
  409: 'aborted',
  413: 'resource-exhausted',
  429: 'resource-exhausted',
  499: 'cancelled',
  500: 'internal',
  501: 'unimplemented',
  502: 'unavailable',
  503: 'unavailable',
  504: 'deadline-exceeded',
};

/** Error of every database call. `code` has no prefix, as in the official SDK. */
export class FirestoreError extends FirebaseError {
  declare readonly code: FirestoreErrorCode;

  constructor(code: FirestoreErrorCode, message: string) {
    super(code, message);
  }
}

/** The error a status on the wire stands for. */
export function errorFromStatus(status: { code?: number; message?: string }): FirestoreError {
  const code = CODES[status.code ?? 2] ?? 'unknown';
  return new FirestoreError(code === 'ok' ? 'unknown' : code, status.message ?? code);
}

/** The error of a failed HTTP reply; its body may say more than its status. */
export function errorFromHttp(status: number, body: unknown): FirestoreError {
  const outer = Array.isArray(body) ? body[0] : body;
  const error = (outer as { error?: { status?: unknown; message?: unknown } } | null)?.error;
  const message = typeof error?.message === 'string' ? error.message : `The server answered ${status}.`;
  if (typeof error?.status === 'string') {
    const code = error.status.toLowerCase().replace(/_/g, '-');
    const known = CODES.find((one) => one === code);
    return new FirestoreError(known && known !== 'ok' ? known : 'unknown', message);
  }
  return new FirestoreError(CODE_OF_HTTP_STATUS[status] ?? 'unknown', message);
}

/** True when trying again later may help: the request was not judged, the way to the server failed. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof FirestoreError &&
    [
      'unavailable',
      'internal',
      'deadline-exceeded',
      'unknown',
      'resource-exhausted',
      'aborted',
      'cancelled',
    ].includes(error.code)
  );
}
