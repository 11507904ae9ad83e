import type { Auth, AuthImpl } from './auth-impl.ts';
import { AuthError } from './errors.ts';
import { type User, UserImpl } from './user.ts';

/** Implementation of an `Auth`. */
export const impl = (auth: Auth): AuthImpl => auth as AuthImpl;

/**
 * Implementation of a `User`.
 *
 * @throws {AuthError} if the user is not one of this SDK's
 */
export function implOf(user: User): UserImpl {
  if (!(user instanceof UserImpl)) throw new AuthError('argument-error', 'Not a user of this SDK.');
  return user;
}
