import { accounts, accountsV2, lookup, ownAccount, type PasskeyReply, type TokenReply } from './api.ts';
import type { Auth } from './auth-impl.ts';
import { impl, implOf } from './handle.ts';
import { reauthenticated, signInWith, type UserCredential } from './sign-in.ts';
import type { User } from './user.ts';

/** Options of a ceremony or an authenticator's answer, as WebAuthn writes them in JSON. */
export type PasskeyJson = Readonly<Record<string, unknown>>;

/** Has an authenticator answer a challenge. */
export type AskAuthenticator = (options: PasskeyJson) => Promise<PasskeyJson>;

/** A passkey of an account. */
export interface PasskeyInfo {
  readonly id: string;
  readonly name: string;
  /** RFC 3339; `undefined` where it is not known. */
  readonly addedAt: string | undefined;
  /** RFC 3339; `undefined` before the first use. */
  readonly usedAt: string | undefined;
}

async function shown(auth: Auth, ask: AskAuthenticator): Promise<TokenReply> {
  const { endpoint } = impl(auth);
  const begun = await accountsV2<{ credentialRequestOptions: PasskeyJson; sessionInfo?: string }>(
    endpoint,
    'passkeySignIn:start',
    {},
  );
  return accountsV2<TokenReply>(endpoint, 'passkeySignIn:finalize', {
    sessionInfo: begun.sessionInfo,
    authenticatorAuthenticationResponse: await ask(begun.credentialRequestOptions),
  });
}

/** Signs in with a passkey of any account; `ask` has the browser find one. */
export async function signInWithPasskey(auth: Auth, ask: AskAuthenticator): Promise<UserCredential> {
  return signInWith(impl(auth), await shown(auth, ask));
}

/** Shows again who is there, for what takes a recent sign-in. */
export async function reauthenticateWithPasskey(user: User, ask: AskAuthenticator): Promise<UserCredential> {
  const target = implOf(user);
  return reauthenticated(target, await shown(target.owner as unknown as Auth, ask));
}

/** The passkeys of who is signed in. */
export async function listPasskeys(user: User): Promise<PasskeyInfo[]> {
  const target = implOf(user);
  const { passkeyInfo } = await lookup(target.owner.endpoint, await target.getIdToken());
  return (passkeyInfo ?? []).map(({ credentialId, name, addedAt, usedAt }: PasskeyReply) => ({
    id: credentialId,
    name,
    addedAt,
    usedAt,
  }));
}

/** Adds a passkey of that name; `create` has the browser make it. */
export async function addPasskey(user: User, name: string, create: AskAuthenticator): Promise<void> {
  const target = implOf(user);
  const { endpoint } = target.owner;
  const begun = await accountsV2<{ credentialCreationOptions: PasskeyJson; sessionInfo?: string }>(
    endpoint,
    'passkeyEnrollment:start',
    { idToken: await target.getIdToken() },
  );
  const answer = await create(begun.credentialCreationOptions);
  const reply = await accountsV2<TokenReply>(endpoint, 'passkeyEnrollment:finalize', {
    idToken: await target.getIdToken(),
    sessionInfo: begun.sessionInfo,
    name,
    authenticatorRegistrationResponse: answer,
  });
  target.takeTokens(reply);
}

/** Gives a passkey another name. */
export async function renamePasskey(user: User, id: string, name: string): Promise<void> {
  const target = implOf(user);
  const idToken = await target.getIdToken();
  await ownAccount(target.owner.endpoint, 'PATCH', 'passkeys', { idToken, body: { credentialId: id, name } });
}

/** Takes a passkey away: it signs nobody in any more. */
export async function removePasskey(user: User, id: string): Promise<void> {
  const target = implOf(user);
  await accounts(target.owner.endpoint, 'update', {
    idToken: await target.getIdToken(),
    deletePasskey: [id],
  });
}
