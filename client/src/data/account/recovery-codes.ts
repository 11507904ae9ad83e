import { askOwnAccount } from '@sdk/own-account';
import { getServices } from '../server/firebase.ts';
import { withRecentSignIn } from './sign-in-again.ts';

function user() {
  const { currentUser } = getServices().auth;
  if (!currentUser) throw new Error('Your session has ended. Log in again.');
  return currentUser;
}

/** Unused recovery codes of who is signed in; `null` if none were ever made. */
export async function recoveryCodesLeft(): Promise<number | null> {
  const { left } = await askOwnAccount<{ left: number | null }>(user(), 'GET', 'recoveryCodes');
  return left;
}

/** Makes a new set of codes, which are shown this once; earlier ones are void. */
export async function makeRecoveryCodes(): Promise<readonly string[]> {
  const made = await withRecentSignIn(() =>
    askOwnAccount<{ codes: string[] }>(user(), 'POST', 'recoveryCodes'),
  );
  return made.codes;
}
