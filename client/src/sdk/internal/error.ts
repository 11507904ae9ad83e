/**
 * Error of every call of the shim, in the official SDK's shape. `code` is `service/code-in-dashes`, for example
 * `auth/email-already-in-use`.
 */
export class FirebaseError extends Error {
  override readonly name: string = 'FirebaseError';
  readonly code: string;
  readonly customData: Record<string, unknown> | undefined;

  constructor(code: string, message: string, customData?: Record<string, unknown>) {
    super(message);
    this.code = code;
    this.customData = customData;
  }
}
