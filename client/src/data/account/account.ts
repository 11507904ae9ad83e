import { type User, updatePassword, updateProfile, verifyBeforeUpdateEmail } from '@sdk/auth';
import { httpsCallable } from '@sdk/functions';
import { getCallables } from '../server/database.ts';
import { getServices } from '../server/firebase.ts';
import { endSession, refreshSession } from './session.ts';
import { signInAgain } from './sign-in-again.ts';

/** Shortest password the server takes. */
export const MIN_PASSWORD_LENGTH = 6;
/** Longest export that is asked for in one go, in pages. */
const MAX_EXPORT_PAGES = 10_000;

function user(): User {
  const { currentUser } = getServices().auth;
  if (!currentUser) throw new Error('Your session has ended. Log in again.');
  return currentUser;
}

/** Changes the name shown on projects; an empty one removes it. */
export async function changeName(name: string): Promise<void> {
  await updateProfile(user(), { displayName: name.trim() || null });
  refreshSession();
}

/** Changes the password; every other session of the account ends. */
export async function changePassword(current: string, next: string): Promise<void> {
  await updatePassword(await signInAgain(current), next);
}

/** Sends a link to a new address, which takes effect when the link is opened. */
export async function changeEmail(password: string, email: string): Promise<void> {
  await verifyBeforeUpdateEmail(await signInAgain(password), email, { url: `${location.origin}/account` });
}

/** Ends every other session of the account: setting the password anew does, even to the same one, in a single step. */
export async function signOutElsewhere(password: string): Promise<void> {
  await updatePassword(await signInAgain(password), password);
}

/** Ends every session of the account, this one too. */
export async function signOutEverywhere(): Promise<void> {
  await httpsCallable<null, null>(getCallables(), 'signOutEverywhere')(null);
  await endSession();
}

interface ExportPage {
  readonly account: unknown;
  readonly documents: readonly { readonly path: string; readonly fields: unknown }[];
  readonly next: string | null;
}

/** The account and all documents of the user, as JSON text. `progress` is told how many documents have come. */
export async function exportMyData(progress: (documents: number) => void): Promise<string> {
  const read = httpsCallable<{ after?: string }, ExportPage>(getCallables(), 'exportMyData');
  const documents: ExportPage['documents'][number][] = [];
  let account: unknown;
  let after: string | null = null;
  for (let page = 0; page < MAX_EXPORT_PAGES; page++) {
    const { data }: { data: ExportPage } = await read(after === null ? {} : { after });
    account ??= data.account;
    documents.push(...data.documents);
    progress(documents.length);
    after = data.next;
    if (after === null) break;
  }
  if (after !== null) throw new Error('There is more than one file can hold. Ask whoever runs this server.');
  return JSON.stringify({ exportedAt: new Date().toISOString(), account, documents }, null, 2);
}

/** The end of a project with members: it goes with the account, or it is offered to a member, by their account. */
export type Outcome = 'delete' | { readonly offerTo: string };

/**
 * Deletes the account and everything in it. Needs the password, or without one a sign-in of the last minutes, so that
 * an open browser is not enough. `projects` has the outcome for each project with members, by id.
 */
export async function deleteMyAccount(
  password: string | undefined,
  projects: Readonly<Record<string, Outcome>>,
): Promise<number> {
  if (password !== undefined) await signInAgain(password);
  const call = httpsCallable<object, { deleted: number }>(getCallables(), 'deleteMyAccount');
  const { deleted } = (await call({ projects })).data;
  await endSession();
  return deleted;
}
