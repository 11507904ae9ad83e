import { signInWithCustomToken } from '@sdk/auth';
import { endSession, guestOfTable, sessionStarted, sessionUser } from '../account/session.ts';
import { callFunction } from '../server/database.ts';
import { getServices } from '../server/firebase.ts';

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/**
 * Calls a function that lets somebody in to a table, once it is known who is there; without an account one is made for the
 * table, and signed in. A guest whose account went with another table comes as somebody new.
 * @throws Error of the function, or one that says that the session could not be renewed
 */
export async function asPresent<T extends object>(name: string, data: object): Promise<T> {
  await sessionStarted();
  const call = () => callFunction<T & { readonly token?: string }>(name, data);
  const { token, ...answer } = await call().catch(async (error: unknown) => {
    if (!guestOfTable() || !/^auth\/|unauthenticated/.test(codeOf(error))) throw error;
    await endSession();
    return call();
  });
  if (token !== undefined) {
    // The call went out without the user's token, which could not be renewed just then.
    if (sessionUser()) throw new Error('Your session could not be renewed. Try again.');
    await signInWithCustomToken(getServices().auth, token);
  }
  return answer as unknown as T;
}
