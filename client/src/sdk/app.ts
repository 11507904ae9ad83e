import {
  allApps,
  coreOf,
  createCore,
  type FirebaseApp,
  type FirebaseOptions,
  removeCore,
} from './internal/app-core.ts';

export type { FirebaseApp, FirebaseOptions } from './internal/app-core.ts';
export { FirebaseError } from './internal/error.ts';

/** Configures a project. */
export function initializeApp(options: FirebaseOptions, name?: string): FirebaseApp {
  return createCore(options, name).app;
}

/** The app of that name, the default one without a name. */
export function getApp(name?: string): FirebaseApp {
  return coreOf(name === undefined ? undefined : { name, options: {} }).app;
}

/** Every app there is. */
export function getApps(): FirebaseApp[] {
  return allApps();
}

/** Forgets an app and what hangs on it. */
export async function deleteApp(app: FirebaseApp): Promise<void> {
  removeCore(app);
}
