/** Passkeys, which Firebase's SDK for the web does not have. */

export {
  type AskAuthenticator,
  addPasskey,
  listPasskeys,
  type PasskeyInfo,
  type PasskeyJson,
  reauthenticateWithPasskey,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from './auth/passkeys.ts';
