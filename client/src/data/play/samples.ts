import { signInWithCustomToken } from '@sdk/auth';
import { callFunction } from '../database.ts';
import { getServices } from '../firebase.ts';
import { endSession, guestOfTable, sessionStarted } from '../session.ts';

/** A sample table that somebody came to. */
export interface JoinedSample {
  /** Name of its game. */
  readonly name: string;
  /** Milliseconds until it goes. */
  readonly lasts: number;
}

/**
 * Opens a table of the sample game, and answers its id.
 * @throws Error with the reason in words
 */
export async function openSampleTable(): Promise<string> {
  const { table } = await asPresent(() => callFunction<{ table: string }>('openSampleTable', {}));
  return table;
}

/**
 * Comes to a sample table and sits down, if a seat is free; without an account one is made for the table, and signed in.
 * @throws Error with the reason in words; see {@link isGone}
 */
export async function joinSampleTable(table: string): Promise<JoinedSample> {
  type Joined = JoinedSample & { readonly token?: string };
  const { token, ...joined } = await asPresent(() => callFunction<Joined>('joinSampleTable', { table }));
  if (token !== undefined) await signInWithCustomToken(getServices().auth, token);
  return joined;
}

/** True if a sample table was not joined because its time is over. */
export const isGone = (error: unknown): boolean => codeOf(error) === 'functions/not-found';

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/** Calls once it is known who is there. A guest whose account went with another table comes as somebody new. */
async function asPresent<T>(call: () => Promise<T>): Promise<T> {
  await sessionStarted();
  try {
    return await call();
  } catch (error) {
    if (!guestOfTable() || !/^auth\/|unauthenticated/.test(codeOf(error))) throw error;
    await endSession();
    return call();
  }
}
