import { FirebaseError } from '../internal/error.ts';

/** The codes a callable can end with, without the `functions/` prefix. */
export type FunctionsErrorCodeCore =
  | 'ok'
  | 'cancelled'
  | 'unknown'
  | 'invalid-argument'
  | 'deadline-exceeded'
  | 'not-found'
  | 'already-exists'
  | 'permission-denied'
  | 'unauthenticated'
  | 'resource-exhausted'
  | 'failed-precondition'
  | 'aborted'
  | 'out-of-range'
  | 'unimplemented'
  | 'internal'
  | 'unavailable'
  | 'data-loss';

/** The codes as errors carry them. */
export type FunctionsErrorCode = `functions/${FunctionsErrorCodeCore}`;

/** `error.status` of a reply -> code. */
const CODE_OF_STATUS_NAME: Readonly<Record<string, FunctionsErrorCodeCore>> = {
  OK: 'ok',
  CANCELLED: 'cancelled',
  UNKNOWN: 'unknown',
  INVALID_ARGUMENT: 'invalid-argument',
  DEADLINE_EXCEEDED: 'deadline-exceeded',
  NOT_FOUND: 'not-found',
  ALREADY_EXISTS: 'already-exists',
  PERMISSION_DENIED: 'permission-denied',
  UNAUTHENTICATED: 'unauthenticated',
  RESOURCE_EXHAUSTED: 'resource-exhausted',
  FAILED_PRECONDITION: 'failed-precondition',
  ABORTED: 'aborted',
  OUT_OF_RANGE: 'out-of-range',
  UNIMPLEMENTED: 'unimplemented',
  INTERNAL: 'internal',
  UNAVAILABLE: 'unavailable',
  DATA_LOSS: 'data-loss',
};

/** HTTP status -> code, for replies without an error body. 0 stands for "no reply". */
const CODE_OF_HTTP_STATUS: Readonly<Record<number, FunctionsErrorCodeCore>> = {
  0: 'internal',
  400: 'invalid-argument',
  401: 'unauthenticated',
  403: 'permission-denied',
  404: 'not-found',
  409: 'aborted',
  429: 'resource-exhausted',
  499: 'cancelled',
  500: 'internal',
  501: 'unimplemented',
  503: 'unavailable',
  504: 'deadline-exceeded',
};

/** The code an HTTP status stands for. */
export function codeForHttpStatus(status: number): FunctionsErrorCodeCore {
  if (status >= 200 && status < 300) return 'ok';
  return CODE_OF_HTTP_STATUS[status] ?? 'unknown';
}

/** The code an `error.status` name stands for, `undefined` for a name nobody knows. */
export function codeForStatusName(name: string): FunctionsErrorCodeCore | undefined {
  return Object.hasOwn(CODE_OF_STATUS_NAME, name) ? CODE_OF_STATUS_NAME[name] : undefined;
}

/** Error of a callable. */
export class FunctionsError extends FirebaseError {
  declare readonly code: FunctionsErrorCode;
  /** Extra data the function attached. */
  readonly details: unknown;

  constructor(code: FunctionsErrorCodeCore, message: string, details?: unknown) {
    super(`functions/${code}`, message || code);
    this.details = details;
  }
}
