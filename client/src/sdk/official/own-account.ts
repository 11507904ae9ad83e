/** Stands in for `own-account.ts` when the official package takes the shim's place. */

import { getApp } from '@sdk/app';
import type { Auth, MultiFactorAssertion, User } from '@sdk/auth';
import { serverMessage, type TokenReply } from '../auth/api.ts';
import type { FinishSession } from '../auth/auth-impl.ts';
import { authErrorFrom, networkError } from '../auth/errors.ts';

type Method = 'GET' | 'POST' | 'DELETE';

async function ask<Reply>(method: Method, path: string, init: RequestInit): Promise<Reply> {
  const key = encodeURIComponent(getApp().options.apiKey ?? '');
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`/__/account/${path}?key=${key}`, { method, ...init });
    body = await response.json();
  } catch {
    throw networkError();
  }
  if (!response.ok) throw authErrorFrom(serverMessage(body));
  return body as Reply;
}

/** Sessions of an account, and codes for a lost second factor. */
export async function askOwnAccount<Reply>(user: User, method: Method, path: string): Promise<Reply> {
  return ask(method, path, { headers: { Authorization: `Bearer ${await user.getIdToken()}` } });
}

/**
 * A recovery code in place of a second factor, for `resolveSignIn`: the package's resolver lets an assertion complete
 * the sign-in itself, by its `_process`.
 */
export function recoveryCodeAssertion(code: string): MultiFactorAssertion {
  const assertion = {
    factorId: 'recovery_code' as const,
    _process: (_auth: unknown, session: { credential: string }) =>
      ask<TokenReply>('POST', 'recoverySignIn', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ mfaPendingCredential: session.credential, recoveryCode: code }),
      }),
  };
  return assertion;
}

export type { SessionEnd } from '../auth/auth-impl.ts';

/** The package follows other tabs at once. */
export function finishBeforeEnd(_auth: Auth, _finish: FinishSession): void {}
