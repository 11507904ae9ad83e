import { Database, type Firestore } from './firestore/database.ts';
import { coreOf, type FirebaseApp, projectId, service } from './internal/app-core.ts';
import { KeptDocuments } from './local/kept-documents.ts';
import { LocalBackend, type Windows } from './local/local-backend.ts';

/**
 * A database in this browser's IndexedDB, with the calls of any other. No rules are in force: whoever uses the browser may
 * read and write all of it. Firebase has nothing of the kind.
 */
export interface LocalDatabase {
  readonly firestore: Firestore;
  /** Number of the last commit: one more with each, in any window. */
  version(): Promise<number>;
  /** True if a document below a path was written or deleted after a commit. */
  changedSince(version: number, below: string): Promise<boolean>;
  /** Calls back after each commit, in any window. @returns ends that */
  observe(callback: () => void): () => void;
  /** Deletes everything. */
  erase(): Promise<void>;
}

/** Opens one, the same for each name. @throws Error in words when the browser keeps nothing */
export async function openLocalDatabase(name: string, app?: FirebaseApp): Promise<LocalDatabase> {
  const core = coreOf(app);
  return service(core, `local:${name}`, async () => {
    const root = `projects/${projectId(core)}/databases/${name}/documents`;
    const kept = await KeptDocuments.open(name, root);
    await kept.forgetOldDeletions();
    const backend = new LocalBackend(kept, root, browserWindows(name), () => core.platform.now());
    await backend.follow();
    const firestore = new Database(core, { ignoreUndefinedProperties: true }, name, backend);
    return {
      firestore,
      async version() {
        await backend.follow();
        return backend.version;
      },
      changedSince: (version, below) => kept.changedSince(version, below),
      observe: (callback) => backend.observe(callback),
      erase: () => backend.erase(),
    };
  });
}

/** The windows of this browser that have a database open. */
function browserWindows(name: string): Windows {
  const channel = new BroadcastChannel(name);
  return {
    tell: () => channel.postMessage(null),
    onNews(callback) {
      channel.addEventListener('message', callback);
      // A page out of the back-forward cache has heard nothing meanwhile.
      globalThis.addEventListener?.('pageshow', callback);
    },
  };
}
