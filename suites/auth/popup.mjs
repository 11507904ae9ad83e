// Popups and redirects of `firebase/auth` in Chrome: with the emulator's page that makes people up, and in serving mode
// with a provider.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { newEmail } from './client.mjs';
import { test } from './tests.mjs';

async function sayWho(page, { email, name }) {
  await page.getByLabel('E-mail').fill(email);
  if (name) await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Calls what a page has for the tests. */
const call = (page, name, ...args) =>
  page.evaluate(([method, values]) => globalThis.suite[method](...values), [name, args]);

/** Calls what opens a popup, and says in that who one is. */
async function byPopup(page, name, provider, who) {
  const opened = page.waitForEvent('popup');
  const outcome = call(page, name, provider);
  await sayWho(await opened, who);
  return await outcome;
}

/** Opens pages of the application at `origin`, whose accounts are the server's at `url`. */
const opener = (context, url) => async (origin) => {
  const page = await context.newPage();
  await page.goto(origin);
  const name = randomUUID();
  await call(page, 'open', url, name);
  return { page, name };
};

/** `url` is the server's; `origin` is the application's, another one. */
export function popupTests(context, origin, url) {
  const open = () => opener(context, url)(origin);

  test('sign in with Google by a popup, twice the same', async () => {
    const { page } = await open();
    const who = { email: newEmail(), name: 'Ada' };
    const first = await byPopup(page, 'popup', 'google', who);
    assert.deepEqual(
      [first.email, first.name, first.providers, first.operation, first.isNew],
      [who.email, who.name, ['google.com'], 'signIn', true],
    );
    const second = await byPopup(page, 'popup', 'google', who);
    assert.deepEqual([second.uid, second.isNew], [first.uid, false]);
    const again = await byPopup(page, 'reauthenticateByPopup', 'google', who);
    assert.deepEqual([again.uid, again.operation], [first.uid, 'reauthenticate']);
    const other = await byPopup(page, 'reauthenticateByPopup', 'google', { email: newEmail() });
    assert.equal(other.error, 'auth/user-mismatch');
  });

  test('an OpenID Connect provider joins an account by a popup', async () => {
    const { page } = await open();
    const { uid } = await call(page, 'anonymously');
    const linked = await byPopup(page, 'linkByPopup', 'guild', { email: newEmail() });
    assert.deepEqual([linked.uid, linked.providers, linked.operation], [uid, ['oidc.guild'], 'link']);
  });

  test('a SAML provider signs in by a popup, twice the same', async () => {
    const { page } = await open();
    const who = { email: newEmail(), name: 'Grace' };
    const first = await byPopup(page, 'popup', 'club', who);
    assert.deepEqual([first.email, first.providers, first.isNew], [who.email, ['saml.club'], true]);
    assert.deepEqual(first.profile, who);
    const second = await byPopup(page, 'popup', 'club', who);
    assert.deepEqual([second.uid, second.isNew], [first.uid, false]);
  });

  test('a popup that is closed signs nobody in', async () => {
    const { page } = await open();
    const opened = page.waitForEvent('popup');
    const outcome = call(page, 'popup', 'google');
    const popup = await opened;
    await popup.getByLabel('E-mail').waitFor();
    await popup.close();
    assert.equal((await outcome).error, 'auth/popup-closed-by-user');
  });

  test('a popup whose page is gone says so', async () => {
    const { page } = await open();
    const opened = page.waitForEvent('popup');
    call(page, 'popup', 'google').catch(() => {});
    const popup = await opened;
    await popup.getByLabel('E-mail').waitFor();
    await page.close();
    await sayWho(popup, { email: newEmail() });
    await popup.getByText('The page that wanted to sign in is gone.').waitFor();
  });

  test('sign in with Google by a redirect', async () => {
    const { page, name } = await open();
    const who = { email: newEmail(), name: 'Bob' };
    await call(page, 'redirect', 'google');
    await sayWho(page, who);
    await page.waitForURL(origin);
    await call(page, 'open', url, name);
    const back = await call(page, 'redirected');
    assert.deepEqual([back.email, back.providers, back.operation], [who.email, ['google.com'], 'signIn']);
    await page.reload();
    await call(page, 'open', url, name);
    assert.equal(await call(page, 'redirected'), null, 'once');
  });
}

/** As `popupTests`, in serving mode; `returned` is where the provider has sent people. */
export function servingPopupTests(context, origin, url, returned) {
  const open = opener(context, url);

  test('serving: sign in with a provider by a popup, twice the same', async () => {
    const { page } = await open(origin);
    const who = { email: newEmail(), name: 'Ada' };
    const first = await byPopup(page, 'popup', 'google', who);
    assert.deepEqual(
      [first.email, first.name, first.providers, first.operation, first.isNew],
      [who.email, who.name, ['google.com'], 'signIn', true],
    );
    const second = await byPopup(page, 'popup', 'google', who);
    assert.deepEqual([second.uid, second.isNew], [first.uid, false]);
    const other = await byPopup(page, 'reauthenticateByPopup', 'google', { email: newEmail() });
    assert.equal(other.error, 'auth/user-mismatch');
    for (const place of returned) assert.ok(place.startsWith(`${url}/emulator/auth/handler?`), place);
  });

  test('serving: a provider joins an account by a popup', async () => {
    const { page } = await open(origin);
    const { uid } = await call(page, 'anonymously');
    const linked = await byPopup(page, 'linkByPopup', 'google', { email: newEmail() });
    assert.deepEqual([linked.uid, linked.providers, linked.operation], [uid, ['google.com'], 'link']);
  });

  test('serving: who says no at the provider is not signed in', async () => {
    const { page } = await open(origin);
    const opened = page.waitForEvent('popup');
    const outcome = call(page, 'popup', 'google');
    await (await opened).getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await outcome).error, 'auth/invalid-credential');
  });

  test('serving: sign in with a provider by a redirect', async () => {
    const { page, name } = await open(origin);
    const who = { email: newEmail(), name: 'Bob' };
    await call(page, 'redirect', 'google');
    await sayWho(page, who);
    await page.waitForURL(origin);
    await call(page, 'open', url, name);
    const back = await call(page, 'redirected');
    assert.deepEqual([back.email, back.providers, back.operation], [who.email, ['google.com'], 'signIn']);
  });

  test('serving: a provider that is not configured is named in the popup', async () => {
    const { page } = await open(origin);
    const opened = page.waitForEvent('popup');
    call(page, 'popup', 'guild').catch(() => {});
    await (await opened).getByText('configuration is not found').waitFor();
  });

  test('serving: a page of a site that is not the project’s gets nothing', async () => {
    const evil = new URL(origin);
    evil.hostname = 'localhost';
    const { page } = await open(evil.href);
    const opened = page.waitForEvent('popup');
    let signedIn = false;
    call(page, 'popup', 'google').then(
      (outcome) => {
        signedIn = outcome?.error === undefined;
      },
      () => {},
    );
    const popup = await opened;
    await sayWho(popup, { email: newEmail() });
    await popup.getByText('The page that wanted to sign in is gone.').waitFor();
    const frames = page.frames().filter((frame) => frame !== page.mainFrame());
    assert.ok(frames.every((frame) => !frame.url().startsWith(url)));
    assert.equal(signedIn, false);
  });
}
