import type { AppCore } from '../internal/app-core.ts';
import { AuthError, authErrorFrom, networkError } from './errors.ts';

/** Timeout of one call to the auth service, in milliseconds. */
const AUTH_TIMEOUT_MS = 30_000;

/** Tokens as the account endpoints answer them. */
export interface TokenReply {
  idToken: string;
  refreshToken: string;
  /** Seconds, as text; what completes a second factor leaves it out. */
  expiresIn?: string;
  localId: string;
}

/** A second factor of an account. */
export interface FactorReply {
  mfaEnrollmentId?: string;
  displayName?: string;
  /** As RFC 3339 writes times. */
  enrolledAt?: string;
  /** Of an authenticator app. */
  totpInfo?: object;
}

/** Reply of a sign-in, in place of tokens, while a second factor is missing. */
export interface PendingReply {
  mfaPendingCredential?: string;
  mfaInfo?: FactorReply[];
}

/** A sign-in provider of an account, as `accounts:lookup` answers it. */
export interface ProviderReply {
  providerId: string;
  rawId?: string;
  email?: string;
  displayName?: string;
  photoUrl?: string;
  phoneNumber?: string;
}

/** An account, as `accounts:lookup` answers it. */
export interface AccountReply {
  localId: string;
  email?: string;
  emailVerified?: boolean;
  displayName?: string;
  photoUrl?: string;
  phoneNumber?: string;
  /** Milliseconds since 1970, as text. */
  createdAt?: string;
  /** Milliseconds since 1970, as text. */
  lastLoginAt?: string;
  providerUserInfo?: ProviderReply[];
  mfaInfo?: FactorReply[];
  passkeyInfo?: PasskeyReply[];
}

/** A passkey of an account; the times as RFC 3339 writes them. */
export interface PasskeyReply {
  credentialId: string;
  name: string;
  addedAt?: string;
  usedAt?: string;
}

/** Addresses of the services. */
export interface AuthEndpoint {
  readonly core: AppCore;
  /** Scheme, host and port; the emulator's when connected to one. */
  origin: string;
}

async function request(endpoint: AuthEndpoint, path: string, init: RequestInit): Promise<unknown> {
  const { core } = endpoint;
  const key = core.app.options.apiKey;
  if (!key) throw new AuthError('invalid-api-key', 'The app was initialised without an apiKey.');
  const abort = new AbortController();
  const cancelTimer = core.platform.setTimer(() => abort.abort(), AUTH_TIMEOUT_MS);
  let response: Response;
  let body: unknown;
  try {
    const url = `${endpoint.origin}/${path}?key=${encodeURIComponent(key)}`;
    response = await core.platform.fetch(url, { method: 'POST', ...init, signal: abort.signal });
    body = await response.json();
  } catch {
    throw networkError();
  } finally {
    cancelTimer();
  }
  if (!response.ok) throw authErrorFrom(serverMessage(body));
  return body;
}

/** The service's error name in an error's body. */
export function serverMessage(body: unknown): string {
  const error = (body as { error?: { message?: unknown } | string } | null)?.error;
  if (typeof error === 'string') return error;
  return typeof error?.message === 'string' ? error.message : '';
}

/** Calls `accounts:{action}`. */
export async function accounts<Reply>(endpoint: AuthEndpoint, action: string, body: object): Promise<Reply> {
  return (await request(endpoint, `identitytoolkit.googleapis.com/v1/accounts:${action}`, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })) as Reply;
}

/** Calls `accounts/{action}` of the second version: `mfaEnrollment:start` and the like. */
export async function accountsV2<Reply>(
  endpoint: AuthEndpoint,
  action: string,
  body: object,
): Promise<Reply> {
  return (await request(endpoint, `identitytoolkit.googleapis.com/v2/accounts/${action}`, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })) as Reply;
}

/** Calls one of this server's own routes, `/__/account/{path}`, as the owner of an ID token where there is one. */
export async function ownAccount<Reply>(
  endpoint: AuthEndpoint,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  { idToken, body }: { idToken?: string; body?: object },
): Promise<Reply> {
  const headers: Record<string, string> = {};
  if (idToken) headers['Authorization'] = `Bearer ${idToken}`;
  if (body) headers['Content-Type'] = 'application/json';
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return (await request(endpoint, `__/account/${path}`, init)) as Reply;
}

/** The account an ID token belongs to. */
export async function lookup(endpoint: AuthEndpoint, idToken: string): Promise<AccountReply> {
  const reply = await accounts<{ users?: AccountReply[] }>(endpoint, 'lookup', { idToken });
  const account = reply.users?.[0];
  if (!account) throw authErrorFrom('USER_NOT_FOUND');
  return account;
}

/** Trades a refresh token for a new ID token. */
export async function refresh(
  endpoint: AuthEndpoint,
  refreshToken: string,
): Promise<{ idToken: string; refreshToken: string; expiresIn: string }> {
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const reply = (await request(endpoint, 'securetoken.googleapis.com/v1/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })) as { id_token: string; refresh_token: string; expires_in: string };
  return { idToken: reply.id_token, refreshToken: reply.refresh_token, expiresIn: reply.expires_in };
}
