import { httpsCallable } from '@sdk/functions';
import { getCallables } from '../server/database.ts';

/** Callables for admins. The server checks the claim at every call. */

/** An account as an admin sees it. Times in milliseconds since 1970, 0 for never. */
export interface Person {
  readonly uid: string;
  readonly email: string;
  readonly displayName: string;
  readonly emailVerified: boolean;
  readonly disabled: boolean;
  readonly admin: boolean;
  readonly createdAt: number;
  readonly lastLoginAt: number;
  /** The id of the plan that holds; null on a server without plans. */
  readonly plan: string | null;
}

/** Actions on an account. */
export type PersonAction = 'disable' | 'enable' | 'verify' | 'grantAdmin' | 'revokeAdmin' | 'signOut';

/** Totals of the server. */
export interface Usage {
  readonly accounts: number;
  readonly projects: number;
  readonly components: number;
  readonly cards: number;
  readonly layouts: number;
  /** Files that belong to somebody, and their bytes. */
  readonly files: number;
  readonly fileBytes: number;
}

/** The last backup of the server. Times in milliseconds since 1970. */
export interface BackupStatus {
  /** False for a server in memory, which has none. */
  readonly stored: boolean;
  readonly last: {
    readonly time: number;
    /** The folder it is in. */
    readonly place: string;
    readonly documents: number;
    readonly files: number;
    readonly bytes: number;
  } | null;
  /** There was none for a week. */
  readonly overdue: boolean;
  /** The server's time. */
  readonly now: number;
}

/** The code in the server's log that makes the first admin: whether one can be given. */
export type FirstAdminState = 'open' | 'expired' | 'closed';

/** Something an admin did. */
export interface LogEntry {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: string;
  readonly action: string;
  readonly target: string;
}

/** A note to everybody. */
export interface Notice {
  /** Empty shows none. */
  readonly text: string;
  readonly level: 'info' | 'warning';
}

function call<Request, Reply>(name: string): (request: Request) => Promise<Reply> {
  return async (request) => (await httpsCallable<Request, Reply>(getCallables(), name)(request)).data;
}

/** Accounts whose address, name or id holds a text; after the id `after` only. */
export const findPeople = call<
  { text: string; after?: string },
  { people: readonly Person[]; more: boolean }
>('adminFindPeople');
export const changePerson = call<{ uid: string; action: PersonAction }, { person: Person }>(
  'adminChangePerson',
);
export const readUsage = call<null, Usage>('adminUsage');
export const readBackup = call<null, BackupStatus>('adminBackup');
/** Entries of the log, last first; those before the one with the id `before` only. */
export const readLog = call<{ before?: string }, { entries: readonly LogEntry[] }>('adminLog');
export const setNotice = call<Notice, null>('adminSetNotice');
export const setFlag = call<{ flag: string; on: boolean }, null>('adminSetFlag');
export const readFirstAdmin = call<null, { state: FirstAdminState }>('firstAdmin');
export const becomeFirstAdmin = call<{ code: string }, null>('becomeFirstAdmin');
