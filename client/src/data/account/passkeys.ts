import * as sdk from '@sdk/passkeys';
import { addPasskey, type PasskeyInfo, type PasskeyJson, signInWithPasskey } from '@sdk/passkeys';
import { getServices } from '../server/firebase.ts';
import { askForPasskey, makePasskey } from './authenticator.ts';
import { withRecentSignIn } from './sign-in-again.ts';

export type { PasskeyInfo };

function user() {
  const { currentUser } = getServices().auth;
  if (!currentUser) throw new Error('Your session has ended. Log in again.');
  return currentUser;
}

/** The passkeys of who is signed in. */
export const passkeys = (): Promise<readonly PasskeyInfo[]> => sdk.listPasskeys(user());

/** Makes a passkey on this device or another, and adds it under that name. */
export async function newPasskey(name: string): Promise<void> {
  await withRecentSignIn(() => addPasskey(user(), name, makePasskey));
}

/** Gives a passkey another name. */
export const renamePasskey = (id: string, name: string): Promise<void> => sdk.renamePasskey(user(), id, name);

/** Takes a passkey away. */
export async function removePasskey(id: string): Promise<void> {
  await withRecentSignIn(() => sdk.removePasskey(user(), id));
}

/** Signs in with a passkey that the browser lets somebody choose. */
export async function logInWithPasskey(): Promise<void> {
  await signInWithPasskey(getServices().auth, askForPasskey);
}

/** Signs in with a passkey chosen among what the browser suggests in the address field, if one is chosen before `signal`. */
export async function logInWithSuggestedPasskey(signal: AbortSignal): Promise<void> {
  const ask = (options: PasskeyJson) => askForPasskey(options, { mediation: 'conditional', signal });
  await signInWithPasskey(getServices().auth, ask);
}

/** Shows with a passkey who is there. */
export async function showPasskey(): Promise<void> {
  await sdk.reauthenticateWithPasskey(user(), askForPasskey);
}
