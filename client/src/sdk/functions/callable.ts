import { type AppCore, projectId } from '../internal/app-core.ts';
import { codeForHttpStatus, codeForStatusName, FunctionsError } from './codes.ts';
import { decode, encode } from './serializer.ts';

/** Default timeout of a call, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 70_000;
/** Region of a function when nobody says. */
export const DEFAULT_REGION = 'us-central1';

/** Result of a call. */
export interface HttpsCallableResult<T = unknown> {
  readonly data: T;
}

/** Options of one callable. */
export interface HttpsCallableOptions {
  /** Milliseconds before the call ends with `deadline-exceeded`; 70 000 by default. */
  timeout?: number;
}

/** Address of an instance's functions. */
export interface FunctionsTarget {
  readonly core: AppCore;
  readonly region: string;
  /** `https://example.org`: functions are then at `/{name}` below it. */
  readonly customDomain: string | undefined;
  /** Set by `connectFunctionsEmulator`. */
  emulatorOrigin: string | undefined;
}

/** The address of a function by name. */
export function callableUrl(target: FunctionsTarget, name: string): string {
  const project = projectId(target.core);
  const path = encodeURIComponent(name);
  if (target.emulatorOrigin) return `${target.emulatorOrigin}/${project}/${target.region}/${path}`;
  if (target.customDomain) return `${target.customDomain}/${path}`;
  return `${target.core.platform.origin}/${target.region}-${project}/${path}`;
}

async function headersFor(core: AppCore): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  // A token that cannot be had must not stop the call: the function decides whether it needs one.
  const [auth, messaging, appCheck] = await Promise.all([
    core.authTokens?.getToken(false).catch(() => null) ?? null,
    core.extraTokens
      .get('messaging')?.()
      .catch(() => null) ?? null,
    core.extraTokens
      .get('appCheck')?.()
      .catch(() => null) ?? null,
  ]);
  if (auth) headers.Authorization = `Bearer ${auth}`;
  if (messaging) headers['Firebase-Instance-ID-Token'] = messaging;
  if (appCheck) headers['X-Firebase-AppCheck'] = appCheck;
  return headers;
}

interface Reply {
  /** HTTP status, 0 when there was no reply. */
  readonly status: number;
  /** The parsed body, `null` when it is not JSON. */
  readonly json: unknown;
}

async function post(core: AppCore, url: string, body: unknown, signal: AbortSignal): Promise<Reply> {
  const headers = await headersFor(core);
  let response: Response;
  try {
    response = await core.platform.fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    });
  } catch {
    return { status: 0, json: null };
  }
  const json = await response.json().catch(() => null);
  return { status: response.status, json };
}

/** The error a reply stands for, `null` when it stands for success. */
export function errorForReply({ status, json }: Reply): FunctionsError | null {
  let code = codeForHttpStatus(status);
  let message: string = code;
  let details: unknown;
  const error = isRecord(json) ? json.error : undefined;
  if (isRecord(error)) {
    if (typeof error.status === 'string') {
      const named = codeForStatusName(error.status);
      if (!named) return new FunctionsError('internal', 'internal');
      code = named;
      message = error.status;
    }
    if (typeof error.message === 'string') message = error.message;
    if (error.details !== undefined) {
      try {
        details = decode(error.details);
      } catch {
        details = undefined;
      }
    }
  }
  return code === 'ok' ? null : new FunctionsError(code, message, details);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function dataOf({ json }: Reply): unknown {
  if (!isRecord(json)) throw new FunctionsError('internal', 'Response is not valid JSON object.');
  const data = json.data !== undefined ? json.data : json.result;
  if (data === undefined) throw new FunctionsError('internal', 'Response is missing data field.');
  return decode(data);
}

/** Posts `{data}` to a function and waits for its answer, `timeout` milliseconds at most. */
export async function call(
  core: AppCore,
  url: string,
  data: unknown,
  options: HttpsCallableOptions,
): Promise<HttpsCallableResult> {
  const body = { data: encode(data) };
  const abort = new AbortController();
  let cancelTimer = () => {};
  const late = new Promise<never>((_, reject) => {
    cancelTimer = core.platform.setTimer(() => {
      reject(new FunctionsError('deadline-exceeded', 'deadline-exceeded'));
      abort.abort();
    }, options.timeout ?? DEFAULT_TIMEOUT_MS);
  });
  try {
    const reply = await Promise.race([post(core, url, body, abort.signal), late]);
    const error = errorForReply(reply);
    if (error) throw error;
    return { data: dataOf(reply) };
  } finally {
    cancelTimer();
  }
}
