import { type Firestore, initializeFirestore } from '@sdk/firestore';
import { connectFunctionsEmulator, type Functions, getFunctions, httpsCallable } from '@sdk/functions';
import { getServices } from './firebase.ts';
import { guardHistory } from './history.ts';

/**
 * Database and functions, set up on first use: pages for visitors need neither, so their code is not
 * in the first download.
 */

const DEFAULT_REGION = 'us-central1';

let db: Firestore | undefined;
let functions: Functions | undefined;
/** The page's database, where it lies in this browser. */
let local: Firestore | undefined;

/** Told where something needs the server's functions or files while the page runs on a database in this browser. */
const NEEDS_ACCOUNT = 'This needs an account. Sign up, and take what you made here along.';

/** Lets the page run on a database in this browser; must come before the first `getDb`. */
export function runOn(inBrowser: Firestore): void {
  if (db) throw new Error('The database is in use already.');
  db = inBrowser;
  local = inBrowser;
}

/** True if the page runs on a database in this browser: there are no people, functions or files. */
export const runsInBrowser = (): boolean => local !== undefined;

/** True for a database in this browser that the page runs on. */
export const isInBrowser = (firestore: Firestore): boolean => firestore === local;

/** @throws Error in words if the page runs on a database in this browser */
export function assertServer(): void {
  if (local) throw new Error(NEEDS_ACCOUNT);
}

/** The database. */
export function getDb(): Firestore {
  if (!db) {
    const { host, protocol } = window.location;
    const settings = { host, ssl: protocol === 'https:', ignoreUndefinedProperties: true };
    db = initializeFirestore(getServices().app, settings);
    guardHistory(db);
  }
  return db;
}

/** The callable functions. */
export function getCallables(): Functions {
  assertServer();
  if (!functions) {
    const { app, host } = getServices();
    functions = getFunctions(app, host.region ?? DEFAULT_REGION);
    if (__OFFICIAL_SDK__) {
      // The official package would call Google; the shim's own default is this host.
      const { hostname, port, protocol } = window.location;
      connectFunctionsEmulator(functions, hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
    }
  }
  return functions;
}

/** Calls a function of the server, and answers its reply. */
export const callFunction = async <T>(name: string, data: object): Promise<T> =>
  (await httpsCallable<object, T>(getCallables(), name)(data)).data;
