import type { PendingReply, TokenReply } from './api.ts';
import { AuthError } from './errors.ts';
import type { UserImpl } from './user.ts';

/** Operation that asked for a second factor. */
export type PendingOperation = 'signIn' | 'link' | 'reauthenticate';

/** A sign-in that got as far as the first factor. Hand it to `getMultiFactorResolver`. */
export class MultiFactorError extends AuthError {
  readonly pending: Required<PendingReply>;
  readonly operation: PendingOperation;
  /** User who signs in again or links a provider; `null` for a sign-in. */
  readonly user: UserImpl | null;

  constructor(pending: Required<PendingReply>, operation: PendingOperation, user: UserImpl | null) {
    super('multi-factor-auth-required', 'A second factor is needed to complete this sign-in.', {
      operationType: operation,
    });
    this.pending = pending;
    this.operation = operation;
    this.user = user;
  }
}

/**
 * The tokens of a reply.
 *
 * @throws {MultiFactorError} where the server asks for a second factor instead
 */
export function completed<Reply extends TokenReply>(
  reply: Reply & PendingReply,
  operation: PendingOperation = 'signIn',
  user: UserImpl | null = null,
): Reply {
  const { mfaPendingCredential, mfaInfo = [] } = reply;
  if (mfaPendingCredential) throw new MultiFactorError({ mfaPendingCredential, mfaInfo }, operation, user);
  return reply;
}
