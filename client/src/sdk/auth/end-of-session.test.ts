/** A session that ends in another tab or at the server, while this tab still has something to finish with it. */

import { beforeEach, expect, test } from 'vitest';
import { getAuth, getIdToken, onAuthStateChanged, signInWithEmailAndPassword, signOut } from '../auth.ts';
import { type AppCore, createCore, removeCore } from '../internal/app-core.ts';
import { finishBeforeEnd } from '../own-account.ts';
import { FakePlatform, json, type SeenRequest, settle } from '../testing/fake-platform.ts';
import type { Auth, SessionEnd } from './auth-impl.ts';

const HOUR_MS = 3_600_000;

let core: AppCore | undefined;
let platform: FakePlatform;
let auth: Auth;
let refused: boolean;
let issued: number;
/** Users as observers are told of them. */
let seen: (string | undefined)[];
/** Each end of the session that was told, with the function that ends the wait. */
let ends: { readonly end: SessionEnd; readonly finished: () => void; readonly back: AbortSignal }[];
const values = new Map<string, string>();
let tell: () => void;

function serve({ url, json: body }: SeenRequest): Response {
  if (url.includes('/token')) {
    if (refused) return json({ error: { code: 400, message: 'TOKEN_EXPIRED' } }, 400);
    return json({ id_token: `id-${++issued}`, refresh_token: 'refresh', expires_in: '3600' });
  }
  if (url.includes(':lookup')) return json({ users: [{ localId: 'ann' }] });
  const localId = (body as { email?: string }).email?.split('@')[0];
  return json({ idToken: `id-${++issued}`, refreshToken: 'refresh', expiresIn: '3600', localId });
}

/** Another tab of the browser changes what both of them store. */
function inOtherTab(change: (text: string) => string | undefined): void {
  const [key, text] = [...values][0] ?? kept;
  kept = [key, text];
  const next = change(text);
  if (next === undefined) values.delete(key);
  else values.set(key, next);
  tell();
}
let kept: [key: string, text: string] = ['', ''];

beforeEach(async () => {
  if (core) removeCore(core.app);
  [refused, issued, seen, ends] = [false, 0, [], []];
  values.clear();
  platform = new FakePlatform();
  platform.handler = serve;
  Object.assign(platform.storage, {
    get: (key: string) => values.get(key) ?? null,
    set: (key: string, value: string) => void values.set(key, value),
    remove: (key: string) => void values.delete(key),
    onExternalChange: (_key: string, callback: () => void) => {
      tell = callback;
      return () => undefined;
    },
  });
  core = createCore({ apiKey: 'KEY', projectId: 'demo' }, 'ends', platform);
  auth = getAuth(core.app);
  finishBeforeEnd(
    auth,
    (end, back) => new Promise((resolve) => ends.push({ end, back, finished: () => resolve() })),
  );
  await signInWithEmailAndPassword(auth, 'ann@example.com', 'secret1');
  await settle();
  onAuthStateChanged(auth, (user) => seen.push(user?.uid));
  await settle();
});

test('the user stays until the page has finished, and is gone then', async () => {
  inOtherTab(() => undefined);
  await settle();
  expect(ends.map(({ end }) => end)).toEqual(['elsewhere']);
  expect(auth.currentUser?.uid).toBe('ann');
  expect(await getIdToken(auth.currentUser as never)).toMatch(/^id-/);
  ends[0]?.finished();
  await settle();
  expect(auth.currentUser).toBeNull();
  expect(seen).toEqual(['ann', undefined]);
});

test('a token that is renewed meanwhile does not sign anybody in again', async () => {
  inOtherTab(() => undefined);
  await platform.advance(HOUR_MS);
  expect(issued).toBeGreaterThan(1);
  expect(values.size).toBe(0);
  ends[0]?.finished();
  await settle();
  expect(auth.currentUser).toBeNull();
});

test('whoever signs in again meanwhile goes on as if nothing had been', async () => {
  inOtherTab(() => undefined);
  inOtherTab((text) => text);
  await settle();
  expect(ends[0]?.back.aborted).toBe(true);
  ends[0]?.finished();
  await settle();
  expect(auth.currentUser?.uid).toBe('ann');
  expect(seen).toEqual(['ann']);
});

test('another account that signs in meanwhile waits for the first to finish', async () => {
  inOtherTab((text) => text.replaceAll('"localId":"ann"', '"localId":"ben"'));
  await settle();
  expect(auth.currentUser?.uid).toBe('ann');
  ends[0]?.finished();
  await settle();
  expect(auth.currentUser?.uid).toBe('ben');
});

test('a session that the server ends is over for other tabs at once', async () => {
  refused = true;
  await expect(getIdToken(auth.currentUser as never, true)).rejects.toThrow();
  await expect(getIdToken(auth.currentUser as never, true)).rejects.toThrow();
  expect(ends.map(({ end }) => end)).toEqual(['ended']);
  expect(values.size).toBe(0);
  expect(auth.currentUser?.uid).toBe('ann');
  ends[0]?.finished();
  await settle();
  expect(auth.currentUser).toBeNull();
});

test('whoever signs out here waits for nothing', async () => {
  await signOut(auth);
  expect(ends).toEqual([]);
  expect(auth.currentUser).toBeNull();
});
