import { accounts, ownAccount, type TokenReply } from './api.ts';
import type { Auth } from './auth-impl.ts';
import { impl, implOf } from './handle.ts';
import type { User } from './user.ts';

/** Settings sent with a mail link. */
export interface ActionCodeSettings {
  /** Destination after the page behind the link. */
  url: string;
  handleCodeInApp?: boolean;
}

/** Purpose of a mail link. */
export interface ActionCodeInfo {
  readonly operation: string;
  readonly data: { readonly email?: string | null; readonly previousEmail?: string | null };
}

/** Changes name and picture; `null` removes one. */
export async function updateProfile(
  user: User,
  profile: { displayName?: string | null; photoURL?: string | null },
): Promise<void> {
  const target = implOf(user);
  const removed: string[] = [];
  if (profile.displayName === null) removed.push('DISPLAY_NAME');
  if (profile.photoURL === null) removed.push('PHOTO_URL');
  const reply = await accounts<Partial<TokenReply>>(target.owner.endpoint, 'update', {
    idToken: await target.getIdToken(),
    ...(profile.displayName != null && { displayName: profile.displayName }),
    ...(profile.photoURL != null && { photoUrl: profile.photoURL }),
    ...(removed.length > 0 && { deleteAttribute: removed }),
    returnSecureToken: true,
  });
  target.takeTokens(reply);
  await target.reload();
}

/** Changes the password. */
export async function updatePassword(user: User, newPassword: string): Promise<void> {
  const target = implOf(user);
  const reply = await accounts<Partial<TokenReply>>(target.owner.endpoint, 'update', {
    idToken: await target.getIdToken(),
    password: newPassword,
    returnSecureToken: true,
  });
  target.takeTokens(reply);
}

/** Deletes the account and signs out. */
export async function deleteUser(user: User): Promise<void> {
  const target = implOf(user);
  await accounts(target.owner.endpoint, 'delete', { idToken: await target.getIdToken() });
  target.owner.sessionEnded(target);
}

/** Mails the user a link that verifies the address. */
export async function sendEmailVerification(user: User, settings?: ActionCodeSettings | null): Promise<void> {
  const target = implOf(user);
  await accounts(target.owner.endpoint, 'sendOobCode', {
    requestType: 'VERIFY_EMAIL',
    idToken: await target.getIdToken(),
    ...(settings && { continueUrl: settings.url, canHandleCodeInApp: settings.handleCodeInApp ?? false }),
  });
}

/** Mails a link to a new address; the account has it once the link is opened. */
export async function verifyBeforeUpdateEmail(
  user: User,
  newEmail: string,
  settings?: ActionCodeSettings | null,
): Promise<void> {
  const target = implOf(user);
  await accounts(target.owner.endpoint, 'sendOobCode', {
    requestType: 'VERIFY_AND_CHANGE_EMAIL',
    idToken: await target.getIdToken(),
    newEmail,
    ...(settings && { continueUrl: settings.url, canHandleCodeInApp: settings.handleCodeInApp ?? false }),
  });
}

/** Mails a link that sets a new password. */
export async function sendPasswordResetEmail(
  auth: Auth,
  email: string,
  settings?: ActionCodeSettings | null,
): Promise<void> {
  await accounts(impl(auth).endpoint, 'sendOobCode', {
    requestType: 'PASSWORD_RESET',
    email,
    ...(settings && { continueUrl: settings.url, canHandleCodeInApp: settings.handleCodeInApp ?? false }),
  });
}

/**
 * Applies the code of a verification link. The server is also told who is signed in here: whoever opens the link and
 * uses the account is the owner of both.
 */
export async function applyActionCode(auth: Auth, oobCode: string): Promise<void> {
  await auth.authStateReady();
  // The code counts without a session, too.
  const idToken = await auth.currentUser?.getIdToken().catch(() => undefined);
  await accounts(impl(auth).endpoint, 'update', { oobCode, ...(idToken && { idToken }) });
}

/** Sessions of an account, and codes for a lost second factor: routes that Firebase does not have. */
export async function askOwnAccount<Reply>(
  user: User,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
): Promise<Reply> {
  const target = implOf(user);
  return ownAccount<Reply>(target.owner.endpoint, method, path, { idToken: await target.getIdToken() });
}

/** Looks up the purpose of a code without consuming it. */
export async function checkActionCode(auth: Auth, oobCode: string): Promise<ActionCodeInfo> {
  const reply = await accounts<{ requestType?: string; email?: string; newEmail?: string }>(
    impl(auth).endpoint,
    'resetPassword',
    { oobCode },
  );
  const email = (reply.requestType === 'VERIFY_AND_CHANGE_EMAIL' ? reply.newEmail : reply.email) ?? null;
  return { operation: reply.requestType ?? '', data: { email } };
}

/** The address a password-reset code belongs to; rejects when the code is spent. */
export async function verifyPasswordResetCode(auth: Auth, code: string): Promise<string> {
  return (await checkActionCode(auth, code)).data.email ?? '';
}

/** Sets a new password with the code of a reset link. */
export async function confirmPasswordReset(auth: Auth, oobCode: string, newPassword: string): Promise<void> {
  await accounts(impl(auth).endpoint, 'resetPassword', { oobCode, newPassword });
}
