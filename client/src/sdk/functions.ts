import {
  call,
  callableUrl,
  DEFAULT_REGION,
  type FunctionsTarget,
  type HttpsCallableOptions,
  type HttpsCallableResult,
} from './functions/callable.ts';
import { coreOf, type ExtraToken, type FirebaseApp, service } from './internal/app-core.ts';

export type { HttpsCallableOptions, HttpsCallableResult } from './functions/callable.ts';
export { FunctionsError, type FunctionsErrorCode, type FunctionsErrorCodeCore } from './functions/codes.ts';
export type { ExtraToken } from './internal/app-core.ts';

/** Callable functions of one app in one region. */
export interface Functions {
  readonly app: FirebaseApp;
  readonly region: string;
  readonly customDomain: string | null;
}

/** A function of the server, as a function. */
export type HttpsCallable<Request = unknown, Response = unknown> = (
  data?: Request | null,
) => Promise<HttpsCallableResult<Response>>;

class FunctionsImpl implements Functions {
  readonly app: FirebaseApp;
  readonly region: string;
  readonly customDomain: string | null;
  readonly target: FunctionsTarget;

  constructor(app: FirebaseApp, regionOrDomain: string) {
    const domain = /^https?:\/\//.test(regionOrDomain) ? regionOrDomain.replace(/\/+$/, '') : undefined;
    this.app = app;
    this.region = domain ? DEFAULT_REGION : regionOrDomain;
    this.customDomain = domain ?? null;
    this.target = { core: coreOf(app), region: this.region, customDomain: domain, emulatorOrigin: undefined };
  }
}

/** The functions of an app; a region (`us-central1`) or a domain (`https://example.org`) may be given. */
export function getFunctions(app?: FirebaseApp, regionOrCustomDomain: string = DEFAULT_REGION): Functions {
  const core = coreOf(app);
  return service(
    core,
    `functions:${regionOrCustomDomain}`,
    () => new FunctionsImpl(core.app, regionOrCustomDomain),
  );
}

/** Sends calls to `http://host:port/{project}/{region}/{name}`. */
export function connectFunctionsEmulator(functions: Functions, host: string, port: number): void {
  (functions as FunctionsImpl).target.emulatorOrigin = `http://${host}:${port}`;
}

/** The function of that name. */
export function httpsCallable<Request = unknown, Response = unknown>(
  functions: Functions,
  name: string,
  options: HttpsCallableOptions = {},
): HttpsCallable<Request, Response> {
  const { target } = functions as FunctionsImpl;
  return (data) =>
    call(target.core, callableUrl(target, name), data, options) as Promise<HttpsCallableResult<Response>>;
}

/** The function at that address. */
export function httpsCallableFromURL<Request = unknown, Response = unknown>(
  functions: Functions,
  url: string,
  options: HttpsCallableOptions = {},
): HttpsCallable<Request, Response> {
  const { target } = functions as FunctionsImpl;
  return (data) => call(target.core, url, data, options) as Promise<HttpsCallableResult<Response>>;
}

/**
 * Sends one more token with every callable of an app, the default app when none is given: `'messaging'` as
 * `Firebase-Instance-ID-Token`, `'appCheck'` as `X-Firebase-AppCheck`. `getToken` is asked before each call; a call goes
 * on without a token where it answers `null` or fails. `null` in its place takes the token away.
 *
 * The official SDK has no such call: there the packages `firebase/messaging` and `firebase/app-check` register
 * themselves. Whoever uses the shim without them hands their tokens over here.
 */
export function setExtraToken(
  kind: ExtraToken,
  getToken: (() => Promise<string | null>) | null,
  app?: FirebaseApp,
): void {
  const { extraTokens } = coreOf(app);
  if (getToken) extraTokens.set(kind, getToken);
  else extraTokens.delete(kind);
}
