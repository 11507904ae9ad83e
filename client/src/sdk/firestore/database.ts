import { type AppCore, type FirebaseApp, projectId } from '../internal/app-core.ts';
import type { Backend } from './backend.ts';
import { Connection, type LiveConnection } from './listen/connection.ts';

/** Settings of `initializeFirestore`. */
export interface FirestoreSettings {
  /** Host and port; the page's own when not given. */
  host?: string;
  /** True if the host speaks TLS. */
  ssl?: boolean;
  /** Leave `undefined` members out instead of refusing them. */
  ignoreUndefinedProperties?: boolean;
}

/** A database of an app. */
export interface Firestore {
  readonly type: 'firestore';
  readonly app: FirebaseApp;
}

/** The one implementation of `Firestore`. */
export class Database implements Firestore {
  readonly type = 'firestore';
  readonly app: FirebaseApp;
  readonly core: AppCore;
  readonly ignoreUndefined: boolean;
  /** `projects/P/databases/D`. */
  readonly name: string;
  /** Scheme, host and port. */
  origin: string;
  /** Carries out the calls; the server at `origin` does without one. */
  readonly backend: Backend | undefined;
  /** Settles when a commit may go to the server. */
  ready: (() => Promise<void>) | undefined;
  /** The stream behind every live subscription. */
  readonly connection: LiveConnection;

  constructor(core: AppCore, settings: FirestoreSettings, databaseId: string, backend?: Backend) {
    this.core = core;
    this.app = core.app;
    this.ignoreUndefined = settings.ignoreUndefinedProperties ?? false;
    this.name = `projects/${projectId(core)}/databases/${databaseId}`;
    this.origin = settings.host
      ? `${settings.ssl === false ? 'http' : 'https'}://${settings.host}`
      : core.platform.origin;
    this.backend = backend;
    this.connection = backend?.connection ?? new Connection(this);
  }

  /** `projects/P/databases/D/documents`, which every document's name begins with. */
  get root(): string {
    return `${this.name}/documents`;
  }
}
