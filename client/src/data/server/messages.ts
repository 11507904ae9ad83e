/** Words for the errors of the services, in terms of what the user can do. */
const WORDS: Readonly<Record<string, string>> = {
  'auth/email-already-in-use': 'There is already an account with this e-mail address. Log in instead.',
  'auth/invalid-credential': 'E-mail address or password is wrong.',
  'auth/wrong-password': 'E-mail address or password is wrong.',
  'auth/user-not-found': 'E-mail address or password is wrong.',
  'auth/invalid-email': 'This does not look like an e-mail address.',
  'auth/missing-email': 'Enter your e-mail address.',
  'auth/missing-password': 'Enter a password.',
  'auth/user-disabled': 'This account has been disabled. Ask whoever runs this server.',
  'auth/too-many-requests': 'Too many attempts. Wait a few minutes and try again.',
  'auth/network-request-failed': 'The server cannot be reached. Check your connection and try again.',
  'auth/expired-action-code': 'This link has expired. Ask for a new one.',
  'auth/invalid-action-code':
    'This link has been used already or was replaced by a newer one. Ask for a new one.',
  'auth/account-exists-with-different-credential':
    'There is already an account with this e-mail address. Log in to it with your password, then link the other way in on the Account page.',
  'auth/credential-already-in-use': 'Another account signs in with this one already.',
  'auth/invalid-verification-code':
    'This code is wrong or was used already. Wait for the next one and enter that.',
  'auth/invalid-multi-factor-session': 'Signing in took too long. Begin again.',
  'auth/totp-challenge-timeout': 'Adding the app took too long. Close this and begin again.',
  'auth/maximum-second-factor-count-exceeded':
    'An account has at most five second factors. Remove one you no longer use.',
  'auth/passkey-not-found':
    'No account here has this passkey: it was removed. Log in another way, and delete it from your device.',
  'auth/maximum-passkey-count-exceeded': 'An account has at most ten passkeys. Remove one you no longer use.',
  'auth/passkey-timeout': 'It took too long. Try again.',
  'auth/passkey-exists': 'This passkey is in use already.',
  'auth/invalid-passkey': 'The passkey could not be verified. Try again, or log in another way.',
  'auth/unverified-email': 'Verify your e-mail address first: open the link we sent you.',
  'auth/admin-restricted-operation':
    'This server takes no new account with this address. Use the address that was invited, or ask whoever runs the server.',
  'auth/requires-recent-login': 'You signed in too long ago for this. Log out, log in and try again.',
  'auth/user-mismatch': 'That was another account. Nothing was changed.',
  'auth/user-token-expired': 'Your session has ended. Log in again.',
  unavailable: 'The server cannot be reached. Nothing was lost; try again.',
  'deadline-exceeded': 'The server took too long to answer. Try again.',
  'permission-denied': 'You may not do this.',
  unauthenticated: 'Your session has ended. Log in again.',
  'not-found': 'It is no longer there; somebody may have deleted it.',
  'resource-exhausted': 'This is more than the server takes at once.',
};

const NO_ANSWER = 'The server gave no answer. Check your connection and try again.';

/** True if the server's rules refused: there is no such thing, or it is not for this user. */
export const isRefusal = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'permission-denied';

/** True if a function of the server found nothing of that name. */
export const isMissing = (error: unknown): boolean =>
  /^(functions\/)?not-found$/.test(String((error as { code?: unknown } | null)?.code));

/** True if what was being read or written has changed meanwhile. */
export const isAborted = (error: unknown): boolean =>
  /^(functions\/)?aborted$/.test(String((error as { code?: unknown } | null)?.code));

/** True if an account's documents, or the browser, have no room any more: trying again does not help, deleting does. */
export const isFull = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (
    code === 'resource-exhausted' &&
    /delete projects or cards for good|no room left in this browser/i.test(String(message))
  );
};

/** A few words, for a toolbar, about a write that the server did not take and that is tried again by itself. */
export function describeDelay(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const isTooFast = code === 'resource-exhausted' && /try again in \d+ second/.test(String(message));
  return isTooFast
    ? 'Too many changes at once: saving in a moment'
    : 'Not saved just now: trying again in a moment';
}

/** True if a function gave no answer, or one without a message: its code stands there instead. */
const isWithoutAnswer = ({ message }: Error, code: string): boolean =>
  code === 'functions/internal' && message.toLowerCase() === 'internal';

/** One or two sentences for the user about any error. */
export function describeError(error: unknown): string {
  if (error instanceof Error) {
    const code = (error as { code?: unknown }).code;
    if (typeof code === 'string') {
      if (isWithoutAnswer(error, code)) return NO_ANSWER;
      if (isFull(error)) return error.message;
      const words = WORDS[code] ?? WORDS[code.replace(/^functions\//, '')];
      if (words) return words;
    }
    if (error.message) return error.message;
  }
  return 'Something went wrong. Try again.';
}
