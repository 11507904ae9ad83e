import { httpsCallable } from '@sdk/functions';
import { getCallables } from '../server/database.ts';
import { describeError } from '../server/messages.ts';
import { asPresent } from './present.ts';

/** Signs of a code. */
export const CODE_SIGNS = 6;
/** Codes have no 0 and 1, and no I, L and O, which look like them. */
const SIGN = /[2-9A-HJKMNP-Z]/;

/** A table that was joined. */
export interface Joined {
  readonly table: string;
  readonly ownerId: string;
  /** Name of the table. */
  readonly name: string;
  /** True if the host has to approve. */
  readonly waits: boolean;
}

/** The code in what somebody typed or pasted, a link among others, as far as it has one. */
export function codeIn(typed: string): string {
  const link = /\/join\/([^/?#\s]+)/i.exec(typed);
  const signs = (link?.[1] ?? typed).toUpperCase().replace(/[\s-]/g, '');
  return signs.slice(0, CODE_SIGNS);
}

/** Why a text is no code; `undefined` if it may be one. */
export function codeFault(code: string): string | undefined {
  const odd = [...code].find((sign) => !SIGN.test(sign));
  if (odd !== undefined) {
    return `A code has no “${odd}”: it has letters and digits, but no 0, 1, I, L or O.`;
  }
  return code.length === CODE_SIGNS ? undefined : `A code has ${CODE_SIGNS} letters and digits.`;
}

/**
 * Joins a table as who is signed in; without an account one is made for the table, and signed in.
 * @throws Error with the reason in words; see {@link joinProblem}
 */
export async function joinTable(code: string, name: string): Promise<Joined> {
  return asPresent<Joined>('joinTable', { code, name });
}

/** Codes whose reason the server gives in its own words. */
const IN_WORDS =
  /^functions\/(invalid-argument|not-found|failed-precondition|permission-denied|resource-exhausted)$/;

/** The reason for which somebody did not join, for them to read. */
export function joinProblem(error: unknown): string {
  const { code } = error as { code?: unknown };
  return error instanceof Error && IN_WORDS.test(String(code)) ? error.message : describeError(error);
}

/** A change of who comes to a table. */
export type AdmissionChange =
  | { readonly newCode: true }
  | { readonly lock: boolean }
  | { readonly ask: boolean }
  | { readonly letIn: string }
  | { readonly kick: string };

/** Changes who comes to a table; its sockets tell of the new state. */
export async function changeAdmission(table: string, change: AdmissionChange): Promise<void> {
  await httpsCallable(getCallables(), 'changeTableAdmission')({ table, change });
}

/** The address at which a code is given. */
export const joinLink = (origin: string, code: string): string => `${origin}/join/${code}`;
