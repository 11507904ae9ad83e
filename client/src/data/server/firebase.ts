import { type FirebaseApp, type FirebaseOptions, initializeApp } from '@sdk/app';
import { type Auth, connectAuthEmulator, getAuth } from '@sdk/auth';

/** Address of the host's configuration. */
const CONFIG_URL = '/__/firebase/init.json';

/** Limits of a plan; those not named do not exist. */
export interface PlanLimits {
  readonly projects?: number;
  readonly layouts?: number;
  readonly images?: number;
  /** Of one project, its owner not counted. */
  readonly members?: number;
  readonly storageBytes?: number;
  /** Of documents: cards, layouts, rulebooks and all that is written. */
  readonly documentBytes?: number;
}

/** A plan on the pricing page, as the operator describes it. */
export interface HostPlan {
  readonly id: string;
  readonly name: string;
  /** As shown, such as “€5 a month”. */
  readonly price: string;
  /** Further features, a line each. */
  readonly includes: readonly string[];
  readonly limits: PlanLimits;
  /** True if the plan can be bought here. */
  readonly sold: boolean;
}

/**
 * Content of `init.json` beside the usual Firebase options: the sections `tuckbox.site` and `tuckbox.plans` of
 * `firebase.json`.
 */
export interface HostInfo {
  readonly mode?: string;
  readonly region?: string;
  readonly version?: string;
  /** Address of the operator's community chat. */
  readonly chatUrl?: string;
  /** Operator of this server, as named in the policies. */
  readonly operator?: string;
  /** Contact of the operator: an e-mail or web address. */
  readonly contact?: string;
  /** Ids or e-mail addresses that are shown the links of an admin. Gives no rights. */
  readonly admins?: readonly string[];
  /** Ways to sign in beside e-mail and password. */
  readonly signIn?: readonly { readonly id: string; readonly name: string }[];
  /** Address (scheme, host, port) that passkeys of this server belong to; without it there are none. */
  readonly passkeysAt?: string;
  /** People who may make an account; everybody, unless it says otherwise. */
  readonly signUp?: 'open' | 'invitation' | 'closed';
  /** Identity of the documents' history: another one means that the server was restored from a backup. */
  readonly history?: string;
  /** Without any, everything is free. */
  readonly plans?: readonly HostPlan[];
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

type Configuration = FirebaseOptions & { tuckbox?: HostInfo };

async function readConfiguration(): Promise<Configuration> {
  const response = await fetch(CONFIG_URL, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`${CONFIG_URL} answered ${response.status}`);
  return (await response.json()) as Configuration;
}

/** Identity of the history that the server's documents have now. @throws Error if the server gives no answer */
export const readHistory = async (): Promise<string | undefined> =>
  (await readConfiguration()).tuckbox?.history;

/** Fetches the host's configuration and sets the services up. */
export async function startServices(): Promise<Services> {
  let config: Configuration;
  try {
    config = await readConfiguration();
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
