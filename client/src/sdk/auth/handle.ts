import type { Auth, AuthImpl } from './auth-impl.ts';
import { AuthError } from './errors.ts';
import { type User, UserImpl } from './user.ts';

/** What is behind an `Auth`. */
export const impl = (auth: Auth): AuthImpl => auth as AuthImpl;

/**
 * What is behind a `User`.
 *
 * @throws {AuthError} where it is none of this SDK's
 */
export function implOf(user: User): UserImpl {
  if (!(user instanceof UserImpl)) throw new AuthError('argument-error', 'Not a user of this SDK.');
  return user;
}
