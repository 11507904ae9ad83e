/** Uploads that are not what they seem, and the stock that admins fill for everybody. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage, uploadsOf } from '../../browser.ts';
import { logOut, type Person, signUp, verify } from '../../pages/account-page.ts';
import { bringFont, fontField, saved } from '../../pages/editor-page.ts';
import {
  dropOn,
  fontFoldersIn,
  painted,
  plain,
  signInByWire,
  storedImages,
  storedLayouts,
} from '../../pages/images-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { allSaved, cell } from '../../pages/table-page.ts';
import { PROJECT, Server } from '../../server.ts';

const BOSS = { name: 'Bo Sand', email: 'bo@example.com', password: 'a long enough one' };
const USER = { name: 'Una Vik', email: 'una@example.com', password: 'a long enough one' };
const RED = [200, 20, 20] as const;
const GREEN = [20, 160, 40] as const;
const BLUE = [20, 60, 200] as const;

let server: Server;
let browser: Browser;
let boss: Page;
let user: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  const enter = async (person: Person) => {
    const { page } = await openPage(browser);
    await signUp(page, server.origin, person);
    await verify(page, server, person);
    return page;
  };
  [boss, user] = await Promise.all([enter(BOSS), enter(USER)]);
  await server.grantAdmin(BOSS.email);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function logInAgain(page: Page, person: Person): Promise<void> {
  await page.goto(`${server.origin}/account`);
  await logOut(page);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

test('a pack that an admin uploads is on somebody else’s cards, and nobody else fills packs', async () => {
  await user.goto(`${server.origin}/uploadadmin`);
  await user.getByText('Only admins fill the packs').waitFor();

  // The claim comes with the next sign-in.
  await logInAgain(boss, BOSS);
  const pack = join(server.dataDir, 'Woods');
  await mkdir(pack);
  await writeFile(join(pack, 'fox.png'), plain(RED));
  await boss.goto(`${server.origin}/uploadadmin`);
  await boss.getByRole('heading', { name: 'Stock pictures' }).waitFor();
  await boss.getByRole('button', { name: 'Upload images' }).waitFor();
  await dropOn(boss, [pack]);
  await boss
    .getByRole('link', { name: 'Woods' })
    .or(boss.getByRole('option', { name: 'Woods' }))
    .first()
    .waitFor();
  await boss.getByText('1 file uploaded', { exact: false }).first().waitFor();

  await user.goto(`${server.origin}/decks`);
  await createProject(user, 'Zoo');
  const list = join(server.dataDir, 'zoo.csv');
  await writeFile(list, 'Name,Art\nFox,nothing.png\n');
  await chooseFile(user, list);
  await confirmImport(user, 1);
  await user.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await cell(user, 'nothing.png').click();
  await user.getByRole('button', { name: 'Choose an image' }).click();
  const picker = user.getByRole('dialog', { name: 'Choose an image' });
  await picker.getByText('Stock', { exact: true }).click();
  await picker.getByRole('option', { name: /fox\.png/ }).click();
  await picker.getByRole('button', { name: 'Use image' }).click();
  await picker.waitFor({ state: 'detached' });
  await allSaved(user);
  await painted(user, RED);
});

test('whoever has a layout’s link sees the pictures of its owner’s library on it, and copies them with its fonts', async () => {
  const files = ['meadow.png', 'sea.png'];
  await writeFile(join(server.dataDir, 'meadow.png'), plain(GREEN));
  await writeFile(join(server.dataDir, 'sea.png'), plain(BLUE));
  await user.goto(`${server.origin}/images`);
  await user.getByRole('button', { name: 'Upload images' }).waitFor();
  await dropOn(
    user,
    files.map((name) => join(server.dataDir, name)),
  );
  for (const name of files) await user.getByRole('option', { name, exact: true }).waitFor();
  await user.goto(`${server.origin}/layouts`);
  await user.getByRole('button', { name: 'New layout' }).first().click();
  await user.waitForURL('**/layouts/edit/**');
  const ground = user.getByRole('textbox', { name: 'Image address' });
  await ground.fill('meadow.png');
  await ground.press('Enter');
  await user.getByRole('button', { name: 'Add text' }).click();
  await fontField(user).click();
  await bringFont(user, ['tuckbox-test.otf']);
  await expect.poll(() => fontField(user).textContent()).toContain('Tuckbox Test');
  await saved(user);
  const edited = user.url();

  await user.goto(`${server.origin}/layouts`);
  // Chromium without windows asks for it before a page may write to the clipboard, too.
  await user.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await user
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  await user.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await user.getByRole('menuitem', { name: 'Share by link' }).click();
  await user.getByText('The link is on the clipboard', { exact: false }).waitFor();
  const link = await user.evaluate(() => navigator.clipboard.readText());
  await boss.goto(link);
  await painted(boss, GREEN);

  // A visitor sees the owner's changes with their new image.
  await user.goto(edited);
  await ground.fill('sea.png');
  await ground.press('Enter');
  await painted(boss, BLUE);

  // The copy's image and font lie in the visitor's own library. The server copied them.
  const uploads = uploadsOf(boss);
  await boss.getByRole('button', { name: 'Copy to my layouts' }).click();
  await boss.waitForURL('**/layouts/edit/**');
  await boss.getByRole('button', { name: 'Add text' }).waitFor();
  expect(uploads).toEqual([]);
  const { uid } = await signInByWire(server, BOSS);
  expect((await storedImages(server, BOSS)).map(({ path }) => path)).toEqual(['sea.png']);
  const layouts = await storedLayouts(server, BOSS);
  expect(fontFoldersIn(layouts)).toEqual([`users%2F${uid}`]);
  const [font = ''] = /\/v0\/b\/[^"]+%2Ffonts%2F[^"]+/.exec(layouts) ?? [];
  expect((await fetch(server.origin + font)).status).toBe(200);
  await ground.fill('meadow.png');
  await ground.press('Enter');
  await saved(user);
  await boss.reload();
  await painted(boss, BLUE);
});

/** The head of a PNG that says it is 40,000 pixels wide and high. */
function bomb(): Buffer {
  const bytes = Buffer.from(plain(RED));
  bytes.writeUInt32BE(40_000, 16);
  bytes.writeUInt32BE(40_000, 20);
  return bytes;
}

const RUNS = "window.ran = true; document.title = 'ran'";
const ATTACKS: readonly (readonly [name: string, type: string, bytes: Buffer])[] = [
  [
    'script.svg',
    'image/svg+xml',
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" onload="${RUNS}"><script>${RUNS}</script><path d="M0 0h64v64H0z" fill="lime"/></svg>`,
    ),
  ],
  ['page.png', 'image/png', Buffer.from(`<!doctype html><script>${RUNS}</script>`)],
  ['page.html', 'text/html', Buffer.from(`<!doctype html><script>${RUNS}</script>`)],
  ['bomb.png', 'image/png', bomb()],
];

test('what a browser would run or a decoder would choke on is not stored', async () => {
  const folder = join(server.dataDir, 'Attacks');
  await mkdir(folder);
  for (const [name, , bytes] of ATTACKS) await writeFile(join(folder, name), bytes);
  await user.goto(`${server.origin}/images`);
  await user.getByRole('button', { name: 'Upload images' }).waitFor();
  await dropOn(
    user,
    ATTACKS.map(([name]) => join(folder, name)),
  );
  const panel = user.getByRole('region', { name: 'Uploads' });
  await panel.getByText('page.png', { exact: false }).first().waitFor();
  await panel.getByText('40000 × 40000 pixels', { exact: false }).first().waitFor();
  // A drawing is kept without its scripts.
  await user.getByRole('option', { name: /^script/ }).waitFor();
  expect(await user.evaluate(() => 'ran' in window || document.title === 'ran')).toBe(false);
  const stored = (await storedImages(server, USER)).filter(({ path }) => !/^(meadow|sea)\./.test(path));
  expect(stored.map(({ path }) => path)).toEqual(['script.svg']);
  const reply = await fetch(new URL(stored[0]?.url ?? '', server.origin));
  expect(reply.headers.get('content-type')).toBe('image/svg+xml');
  expect(reply.headers.get('content-security-policy')).toContain('sandbox');
  const text = await reply.text();
  expect(text).toContain('<path');
  for (const bad of ['script', 'onload', 'ran']) expect(text).not.toContain(bad);

  // The application’s own checks can be left out by whoever writes the requests themselves.
  const { token, uid } = await signInByWire(server, USER);
  for (const [name, type, bytes] of ATTACKS) {
    for (const claimed of [type, 'image/png']) {
      const reply = await put(token, `users/${uid}/${name}`, claimed, bytes);
      expect([403, 400, 429, 402, 413], `${name} as ${claimed}: ${reply.status}`).toContain(reply.status);
    }
  }
});

/** Drawings of drawing programs, and what is kept of each: with styles, notes of the program, repeated parts, a clip. */
const DRAWN = {
  'styled.svg': `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 20 20" inkscape:version="1.3"><style type="text/css">.st0{fill:#00C000;}</style><defs><path id="p" d="M0 0h20v20H0z"/><clipPath id="c"><use xlink:href="#p"/></clipPath></defs><g clip-path="url(#c)" inkscape:label="Layer"><use xlink:href="#p" class="st0"/></g></svg>`,
  'words.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M0 0h20v20H0z" fill="#00C000"/><text y="9">Hi</text></svg>',
};

test('a drawing stays one, whatever program made it; one with text becomes a picture and says why', async () => {
  for (const [name, text] of Object.entries(DRAWN)) await writeFile(join(server.dataDir, name), text);
  await user.goto(`${server.origin}/images`);
  await user.getByRole('button', { name: 'Upload images' }).waitFor();
  await dropOn(
    user,
    Object.keys(DRAWN).map((name) => join(server.dataDir, name)),
  );
  await user.getByText('has text: convert it to paths', { exact: false }).first().waitFor();
  await user.getByRole('option', { name: 'styled.svg', exact: true }).click();
  await user.getByText('Drawing, sharp at any size', { exact: false }).waitFor();
  const paths = async () => (await storedImages(server, USER)).map(({ path }) => path);
  await expect.poll(paths).toContain('styled.svg');
  await expect.poll(paths).toContain('words.png');

  await user.goto(`${server.origin}/layouts`);
  await user.getByRole('button', { name: 'New layout' }).first().click();
  await user.waitForURL('**/layouts/edit/**');
  const ground = user.getByRole('textbox', { name: 'Image address' });
  await ground.fill('styled.svg');
  await ground.press('Enter');
  await painted(user, [0, 192, 0]);
});

const bucket = `${PROJECT}.appspot.com`;

function put(token: string, name: string, type: string, bytes: Buffer): Promise<Response> {
  const url = `${server.origin}/v0/b/${bucket}/o?uploadType=media&name=${encodeURIComponent(name)}`;
  return fetch(url, {
    method: 'POST',
    headers: { Authorization: `Firebase ${token}`, 'Content-Type': type },
    body: new Uint8Array(bytes),
  });
}

test('a picture that is a script too runs nowhere', async () => {
  const { token, uid } = await signInByWire(server, USER);
  // A GIF by its first bytes, and the same bytes are a script: GIF89a = …
  const polyglot = Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([0x2f, 0x2a, 1, 0, 0, 0, 0]),
    Buffer.from(`*/ = 1; ${RUNS}; // <script>${RUNS}</script>`),
  ]);
  const reply = await put(token, `users/${uid}/both.gif`, 'image/gif', polyglot);
  if (reply.status !== 200) {
    // Refused is as good.
    expect([400, 403, 429]).toContain(reply.status);
    return;
  }
  const { downloadTokens } = (await reply.json()) as { downloadTokens: string };
  const address = `${server.origin}/v0/b/${bucket}/o/${encodeURIComponent(`users/${uid}/both.gif`)}?alt=media&token=${downloadTokens}`;
  await user.goto(`${server.origin}/decks`);
  const outcome = await user.evaluate(
    (src) =>
      new Promise<string>((done) => {
        const script = document.createElement('script');
        script.src = src;
        script.onload = () => done('loaded');
        script.onerror = () => done('refused');
        document.head.append(script);
      }),
    address,
  );
  expect(outcome).toBe('refused');
  expect(await user.evaluate(() => 'ran' in window)).toBe(false);
  const opened = await user.context().newPage();
  await opened.goto(address).catch(() => undefined);
  expect(await opened.evaluate(() => 'ran' in window)).toBe(false);
  await opened.close();
});
