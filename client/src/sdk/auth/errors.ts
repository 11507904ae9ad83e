import { FirebaseError } from '../internal/error.ts';

/** The service's error name -> the SDK's code and a sentence a developer can act on. */
const ERRORS: Readonly<Record<string, readonly [code: string, message: string]>> = {
  EMAIL_EXISTS: ['email-already-in-use', 'Another account has this email address.'],
  EMAIL_NOT_FOUND: ['user-not-found', 'There is no user with this email address.'],
  INVALID_PASSWORD: ['wrong-password', 'The password is wrong.'],
  INVALID_LOGIN_CREDENTIALS: ['invalid-credential', 'The email address or the password is wrong.'],
  USER_DISABLED: ['user-disabled', 'The account is disabled.'],
  USER_NOT_FOUND: ['user-token-expired', 'The account no longer exists: sign in again.'],
  INVALID_EMAIL: ['invalid-email', 'The email address is not valid.'],
  MISSING_EMAIL: ['missing-email', 'An email address must be given.'],
  MISSING_PASSWORD: ['missing-password', 'A password must be given.'],
  WEAK_PASSWORD: ['weak-password', 'The password is too weak.'],
  PASSWORD_DOES_NOT_MEET_REQUIREMENTS: [
    'password-does-not-meet-requirements',
    'The password does not meet the requirements.',
  ],
  OPERATION_NOT_ALLOWED: ['operation-not-allowed', 'This way of signing in is switched off.'],
  PASSWORD_LOGIN_DISABLED: ['operation-not-allowed', 'Signing in with a password is switched off.'],
  ADMIN_ONLY_OPERATION: ['admin-restricted-operation', 'Only an administrator may do this.'],
  EXPIRED_OOB_CODE: ['expired-action-code', 'The link has expired.'],
  INVALID_OOB_CODE: ['invalid-action-code', 'The link is not valid, or was used already.'],
  MISSING_OOB_CODE: ['missing-action-code', 'The link carries no code.'],
  INVALID_CONTINUE_URI: ['invalid-continue-uri', 'The continue URL is not valid.'],
  UNAUTHORIZED_DOMAIN: ['unauthorized-continue-uri', 'The domain of the continue URL is not allowed.'],
  TOKEN_EXPIRED: ['user-token-expired', 'The session has expired: sign in again.'],
  INVALID_ID_TOKEN: ['invalid-user-token', 'The session is not valid: sign in again.'],
  INVALID_REFRESH_TOKEN: ['user-token-expired', 'The session has ended: sign in again.'],
  MISSING_REFRESH_TOKEN: ['user-token-expired', 'The session has ended: sign in again.'],
  CREDENTIAL_TOO_OLD_LOGIN_AGAIN: ['requires-recent-login', 'Sign in again before doing this.'],
  TOO_MANY_ATTEMPTS_TRY_LATER: ['too-many-requests', 'Too many attempts: try again later.'],
  RESET_PASSWORD_EXCEED_LIMIT: ['too-many-requests', 'Too many attempts: try again later.'],
  QUOTA_EXCEEDED: ['quota-exceeded', 'The quota is used up: try again later.'],
  INVALID_IDP_RESPONSE: ['invalid-credential', 'The provider vouches for nobody.'],
  FEDERATED_USER_ID_ALREADY_LINKED: ['credential-already-in-use', 'Another account signs in with this one.'],
  PASSKEY_CREDENTIAL_NOT_FOUND: ['passkey-not-found', 'No account has this passkey.'],
  PASSKEY_LIMIT_EXCEEDED: ['maximum-passkey-count-exceeded', 'The account has too many passkeys.'],
  PASSKEY_CHALLENGE_TIMEOUT: ['passkey-timeout', 'It took too long: begin again.'],
  CREDENTIAL_ALREADY_IN_USE: ['passkey-exists', 'An account has this passkey already.'],
  INVALID_AUTHENTICATOR_RESPONSE: ['invalid-passkey', 'The passkey is not valid: begin again.'],
  INVALID_CODE: ['invalid-verification-code', 'The code is wrong or too old.'],
  MISSING_CODE: ['missing-verification-code', 'A code must be given.'],
  INVALID_MFA_PENDING_CREDENTIAL: ['invalid-multi-factor-session', 'Signing in took too long: begin again.'],
  INVALID_SESSION_INFO: ['invalid-verification-id', 'The enrollment has ended: begin again.'],
  TOTP_CHALLENGE_TIMEOUT: ['totp-challenge-timeout', 'The enrollment took too long: begin again.'],
  MFA_ENROLLMENT_NOT_FOUND: ['multi-factor-info-not-found', 'The account has no such second factor.'],
  SECOND_FACTOR_EXISTS: ['second-factor-already-in-use', 'The account has this second factor already.'],
  SECOND_FACTOR_LIMIT_EXCEEDED: [
    'maximum-second-factor-count-exceeded',
    'The account has too many second factors.',
  ],
  UNSUPPORTED_FIRST_FACTOR: [
    'unsupported-first-factor',
    'This way of signing in cannot have a second factor.',
  ],
  UNVERIFIED_EMAIL: ['unverified-email', 'The email address must be verified first.'],
  UNAVAILABLE: ['network-request-failed', 'The provider does not answer: try again later.'],
  NOT_IMPLEMENTED: ['operation-not-supported-in-this-environment', 'The server does not support this.'],
};

/** Error of every auth call. `code` is `auth/…`. */
export class AuthError extends FirebaseError {
  constructor(code: string, message: string, customData?: Record<string, unknown>) {
    super(`auth/${code}`, message, customData);
  }
}

/** Builds the error for a service's `error.message`, which may read `NAME : detail`. */
export function authErrorFrom(serverMessage: string): AuthError {
  const [name = '', ...rest] = serverMessage.split(' : ');
  const detail = rest.join(' : ').trim();
  const known = Object.hasOwn(ERRORS, name) ? ERRORS[name] : undefined;
  if (!known)
    return new AuthError('internal-error', serverMessage || 'The server gave no reason.', { serverMessage });
  return new AuthError(known[0], detail || known[1], { serverMessage });
}

/** There was no usable answer. */
export function networkError(): AuthError {
  return new AuthError('network-request-failed', 'The server could not be reached.');
}
