import { type FirebaseApp, type FirebaseOptions, initializeApp } from '@sdk/app';
import { type Auth, connectAuthEmulator, getAuth } from '@sdk/auth';
import { type Firestore, initializeFirestore } from '@sdk/firestore';
import { connectFunctionsEmulator, type Functions, getFunctions } from '@sdk/functions';

/** Where a host of this product publishes its configuration. */
const CONFIG_URL = '/__/firebase/init.json';
const DEFAULT_REGION = 'us-central1';

/** What `init.json` holds beside the usual Firebase options. */
export interface HostInfo {
  readonly mode?: string;
  readonly region?: string;
  readonly version?: string;
}

/** The services the application talks to. */
export interface Services {
  readonly app: FirebaseApp;
  readonly auth: Auth;
  readonly db: Firestore;
  readonly functions: Functions;
  readonly host: HostInfo;
  readonly projectId: string;
  readonly apiKey: string;
}

/** The host's configuration could not be had: there is nothing to talk to. */
export class HostUnreachable extends Error {
  override readonly name = 'HostUnreachable';
}

let services: Services | undefined;

/** The services, once `startServices` is done. */
export function getServices(): Services {
  if (!services) throw new Error('startServices() must come first.');
  return services;
}

/** Fetches the host's configuration and sets the services up. */
export async function startServices(): Promise<Services> {
  let config: FirebaseOptions & { tuckbox?: HostInfo };
  try {
    const response = await fetch(CONFIG_URL, { headers: { Accept: 'application/json' } });
    if (!response.ok) throw new Error(`${CONFIG_URL} answered ${response.status}`);
    config = (await response.json()) as FirebaseOptions & { tuckbox?: HostInfo };
  } catch (error) {
    throw new HostUnreachable(error instanceof Error ? error.message : String(error));
  }
  const { tuckbox = {}, ...options } = config;
  const app = initializeApp(options);
  const auth = getAuth(app);
  const { host, hostname, port, protocol, origin } = window.location;
  const db = initializeFirestore(app, { host, ssl: protocol === 'https:', ignoreUndefinedProperties: true });
  const functions = getFunctions(app, tuckbox.region ?? DEFAULT_REGION);
  if (__OFFICIAL_SDK__) {
    // The official package would call Google; the shim's own defaults are this host.
    connectAuthEmulator(auth, origin, { disableWarnings: true });
    connectFunctionsEmulator(functions, hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
  }
  services = {
    app,
    auth,
    db,
    functions,
    host: tuckbox,
    projectId: options.projectId ?? '',
    apiKey: options.apiKey ?? '',
  };
  return services;
}
