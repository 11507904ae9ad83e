import { type FirebaseApp, type FirebaseOptions, initializeApp } from '@sdk/app';
import { type Auth, connectAuthEmulator, getAuth } from '@sdk/auth';

/** Where a host of this product publishes its configuration. */
const CONFIG_URL = '/__/firebase/init.json';

/** What `init.json` holds beside the usual Firebase options. */
export interface HostInfo {
  readonly mode?: string;
  readonly region?: string;
  readonly version?: string;
  /** Address of the operator's community chat. */
  readonly chatUrl?: string;
}

/** The services the application talks to. */
export interface Services {
  readonly app: FirebaseApp;
  readonly auth: Auth;
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
  // The official package would call Google; the shim's own default is this host.
  if (__OFFICIAL_SDK__) connectAuthEmulator(auth, window.location.origin, { disableWarnings: true });
  services = {
    app,
    auth,
    host: tuckbox,
    projectId: options.projectId ?? '',
    apiKey: options.apiKey ?? '',
  };
  return services;
}
