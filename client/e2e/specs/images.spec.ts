/** A folder tree of 300 images: dropped, called off, taken up, the server killed, and every file there once. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../browser.ts';
import { signUp, verify } from '../pages/account-page.ts';
import { dropOn, picture, sha256, storedImages, writeTree } from '../pages/images-page.ts';
import { Server } from '../server.ts';

const PERSON = { name: 'Ida Holm', email: 'ida@example.com', password: 'a long enough one' };
const IMAGES = 300;
/** Every so many is large enough to be sent in parts. */
const LARGE_EVERY = 20;

let server: Server;
let browser: Browser;
let page: Page;
let folder: string;

beforeAll(async () => {
  [server, browser, folder] = await Promise.all([
    Server.start(),
    launch(),
    mkdtemp(join(tmpdir(), 'tuckbox-art-')),
  ]);
  ({ page } = await openPage(browser));
  await signUp(page, server.origin, PERSON);
  await verify(page, server.origin, PERSON);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const uploads = () => page.getByRole('region', { name: 'Uploads' });

/** Waits until so many files are over and well. */
async function finished(count: number): Promise<void> {
  await page.waitForFunction((least) => {
    const text = document.querySelector('section[aria-label="Uploads"] strong')?.textContent ?? '';
    const [, done = '0'] = /(\d+) (?:of|files? uploaded)/.exec(text) ?? [];
    return Number(done) >= least;
  }, count);
}

test('every file is there once, whatever happens on the way', async () => {
  const tree = new Map<string, Buffer>();
  for (let i = 0; i < IMAGES; i++) {
    const place = ['Art', `Art/Set ${i % 7}`, `Art/Set ${i % 7}/Part ${i % 3}`][i % 3];
    tree.set(
      `${place}/picture ${i}.png`,
      picture(i % LARGE_EVERY === 0 ? 520 : 12, i, i % LARGE_EVERY === 0),
    );
  }
  tree.set('Art/.hidden.png', picture(2, 1));
  tree.set('Art/notes.txt', Buffer.from('no picture'));
  const hashes = await writeTree(folder, tree);
  hashes.delete('Art/.hidden.png');
  hashes.delete('Art/notes.txt');

  await page.goto(`${server.origin}/images`);
  await page.getByRole('button', { name: 'Upload images' }).waitFor();
  await dropOn(page, [join(folder, 'Art')]);
  await finished(20);
  await uploads().getByRole('button', { name: 'Cancel', exact: true }).click();
  await uploads()
    .getByText(/files cancelled/)
    .waitFor();
  await uploads().getByRole('button', { name: 'Take up again' }).click();
  await finished(60);
  await uploads().getByRole('button', { name: 'Pause' }).click();
  await uploads()
    .getByText(/^Paused/)
    .waitFor();
  await uploads().getByRole('button', { name: 'Resume' }).click();
  await finished(90);
  await server.kill9();
  await server.restart();
  await finished(130);
  // The page is closed in the middle, and what is left is taken up by the next one.
  await page.reload();
  await uploads()
    .getByText(/^\d+ files uploaded$/)
    .waitFor({ timeout: 60_000 });

  const stored = await storedImages(server, PERSON);
  expect(stored.map(({ path }) => path).sort()).toEqual([...hashes.keys()].sort());
  expect(Object.fromEntries(stored.map(({ path, hash }) => [path, hash]))).toEqual(
    Object.fromEntries(hashes),
  );
  for (const { path, url } of stored) {
    const reply = await fetch(server.origin + url);
    expect(sha256(new Uint8Array(await reply.arrayBuffer())), path).toBe(hashes.get(path));
  }
});
