import { FirebaseError } from './error.ts';
import { browserPlatform, type Platform } from './platform.ts';

/** Configuration of a project, as `/__/firebase/init.json` serves it. */
export interface FirebaseOptions {
  apiKey?: string;
  authDomain?: string;
  projectId?: string;
  storageBucket?: string;
  messagingSenderId?: string;
  appId?: string;
}

/** One configured project. */
export interface FirebaseApp {
  readonly name: string;
  readonly options: FirebaseOptions;
}

/** Source of the caller's ID token for callables and the database; auth registers itself here. */
export interface AuthTokens {
  /** The caller's ID token, `null` when signed out. */
  getToken(forceRefresh: boolean): Promise<string | null>;
  /** Calls back whenever the token (or its absence) changes. */
  onChange(callback: () => void): () => void;
}

/** Optional further tokens sent with callables. */
export type ExtraToken = 'messaging' | 'appCheck';

/** State behind a `FirebaseApp`. */
export interface AppCore {
  readonly app: FirebaseApp;
  readonly platform: Platform;
  authTokens: AuthTokens | undefined;
  readonly extraTokens: Map<ExtraToken, () => Promise<string | null>>;
  /** Services by a key of their own, made on first use. */
  readonly services: Map<string, unknown>;
}

const DEFAULT_NAME = '[DEFAULT]';
const cores = new Map<string, AppCore>();

/** Creates an app on a platform; the public `initializeApp` uses the browser's. */
export function createCore(
  options: FirebaseOptions,
  name: string = DEFAULT_NAME,
  platform: Platform = browserPlatform(),
): AppCore {
  if (cores.has(name)) {
    throw new FirebaseError('app/duplicate-app', `Firebase App named '${name}' already exists.`);
  }
  const core: AppCore = {
    app: { name, options: { ...options } },
    platform,
    authTokens: undefined,
    extraTokens: new Map(),
    services: new Map(),
  };
  cores.set(name, core);
  return core;
}

/** The core behind an app; the default app's when none is given. */
export function coreOf(app?: FirebaseApp): AppCore {
  const name = app?.name ?? DEFAULT_NAME;
  const core = cores.get(name);
  if (!core) {
    throw new FirebaseError(
      'app/no-app',
      `No Firebase App '${name}' has been created: call initializeApp() first.`,
    );
  }
  return core;
}

/** All apps created and not deleted. */
export function allApps(): FirebaseApp[] {
  return [...cores.values()].map((core) => core.app);
}

/** Forgets an app. */
export function removeCore(app: FirebaseApp): void {
  cores.delete(app.name);
}

/** The service under `key`, made once per app. */
export function service<T>(core: AppCore, key: string, make: () => T): T {
  if (!core.services.has(key)) core.services.set(key, make());
  return core.services.get(key) as T;
}

/** The project's id; every service but auth needs one. */
export function projectId(core: AppCore): string {
  const id = core.app.options.projectId;
  if (!id)
    throw new FirebaseError('app/invalid-app-argument', 'The app was initialised without a projectId.');
  return id;
}
