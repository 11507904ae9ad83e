/** Tokens for calls made as somebody: unsigned, as an emulator takes them. */

import { server } from '../server/server.ts';

/** Lifetime of a token, in seconds. */
const LIFE_S = 3_600;

function part(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** A token of this user, with further claims. */
export function unsignedToken(uid: string, claims: Readonly<Record<string, unknown>> = {}): string {
  const { projectId } = server();
  const now = Math.floor(Date.now() / 1_000);
  const payload = {
    iss: `https://securetoken.google.com/${projectId}`,
    aud: projectId,
    iat: now,
    exp: now + LIFE_S,
    auth_time: now,
    sub: uid,
    user_id: uid,
    firebase: { identities: {}, sign_in_provider: 'custom' },
    ...claims,
  };
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(payload)}.`;
}
