/** Two people at one layout of a project: each sees who is there, the other's selection and pointer. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { box, layers, saved, setNumber, zone } from '../../pages/editor-page.ts';
import { acceptInvitation, createDrawnProject, invite } from '../../pages/project-page.ts';
import { shotOf } from '../../pages/versions-page.ts';
import type { Server } from '../../server.ts';
import { signInBeside, startSignedIn } from '../../signed-in.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };
const BEN = { name: 'Ben Bly', email: 'ben@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let ann: Page;
let ben: Page;
let complaints: Complaints;
let bens: Complaints;

beforeAll(async () => {
  ({ server, browser, page: ann, complaints } = await startSignedIn(ANN));
  ({ page: ben, complaints: bens } = await signInBeside(browser, server, BEN));
  await ann.goto(`${server.origin}/decks`);
  await createDrawnProject(ann, 'Driftglass', ['Fox', 'Dog'], server.dataDir);
  await invite(ann, BEN.email, 'editor');
  await acceptInvitation(ben, server.origin);
  await ben.getByRole('heading', { name: 'Driftglass', level: 1 }).waitFor();
  await ann.getByRole('button', { name: 'Edit layout' }).click();
  await ann.waitForURL(/\/layouts\/edit\//);
  await ann.getByRole('button', { name: 'Add text' }).waitFor();
  await ann.getByRole('button', { name: 'Add shape' }).click();
  await ann.keyboard.press('Escape');
  await saved(ann);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const canvas = (page: Page) => page.getByRole('region', { name: 'Canvas' });
const outlines = (page: Page) => canvas(page).locator('[data-peer-zone]');
const pointer = (page: Page) => canvas(page).locator('[data-peer-pointer]');
const isPresence = (body: string | null) => body?.includes('/presence/') ?? false;

/** Commits of a page that write where it is, from now on. */
function reportsOf(page: Page): () => number {
  let reports = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && isPresence(request.postData())) reports += 1;
  });
  return () => reports;
}

test('nobody is told where a pointer goes while its window is alone', async () => {
  const reports = reportsOf(ann);
  const { x, y, width, height } = await box(canvas(ann));
  for (let n = 0; n < 20; n++) await ann.mouse.move(x + (width * n) / 20, y + (height * n) / 20);
  await layers(ann).getByRole('button', { name: 'Shape', exact: true }).click();
  await setNumber(ann, 'Width', 30);
  await saved(ann);
  // The change came after the pointer's way: what was to be told of it would have been on its way before.
  expect(reports()).toBe(0);
});

test('they see who is there, what is selected and where the pointer is', async () => {
  await ben.goto(ann.url());
  await ann.getByRole('img', { name: 'Also here: Ben Bly' }).waitFor();
  await ben.getByRole('img', { name: 'Also here: Ann Ames' }).waitFor();
  await outlines(ben).filter({ hasText: 'Ann Ames' }).waitFor();
  const [theirs, shape] = [await box(outlines(ben)), await box(zone(ben, 'Shape'))];
  for (const side of ['x', 'y', 'width', 'height'] as const)
    expect(Math.abs(theirs[side] - shape[side])).toBeLessThan(1);

  const own = await box(zone(ann, 'Shape'));
  const corner = { x: own.x + own.width / 4, y: own.y + own.height / 3 };
  await ann.mouse.move(corner.x, corner.y, { steps: 5 });
  await pointer(ben).filter({ hasText: 'Ann Ames' }).waitFor();
  await expect
    .poll(async () => {
      const at = await box(pointer(ben));
      return Math.abs(at.x + 1 - shape.x - shape.width / 4) + Math.abs(at.y + 1 - shape.y - shape.height / 3);
    })
    .toBeLessThan(3);
  await layers(ben).getByRole('button', { name: 'Shape', exact: true }).click();
  await outlines(ann).filter({ hasText: 'Ben Bly' }).waitFor();
  await shotOf(ben, 'layout-presence');
  expect(await faultsInBoth(ben, 'layout presence')).toEqual([]);
  await ben.setViewportSize({ width: 1024, height: 900 });
  expect(await faultsInBoth(ben, 'layout presence, narrow')).toEqual([]);
  const last = await box(ben.getByRole('button', { name: 'Next card' }));
  expect(last.x + last.width).toBeLessThanOrEqual(1024);
  await ben.setViewportSize({ width: 1440, height: 900 });
  // Off the card and the canvas it is nowhere.
  await ann.mouse.move(5, 5);
  await pointer(ben).waitFor({ state: 'detached' });
  await layers(ann).getByRole('button', { name: 'Shape', exact: true }).focus();
  await ann.keyboard.press('Escape');
  await outlines(ben).waitFor({ state: 'detached' });
});

test('another’s outline and pointer are in nobody’s way', async () => {
  await layers(ann).getByRole('button', { name: 'Shape', exact: true }).click();
  await outlines(ben).filter({ hasText: 'Ann Ames' }).waitFor();
  await ben.keyboard.press('Escape');
  const before = await box(zone(ben, 'Shape'));
  await ben.mouse.move(before.x + before.width / 2, before.y + 4);
  await ben.mouse.down();
  await ben.mouse.move(before.x + before.width / 2 + 40, before.y + 24, { steps: 4 });
  await ben.mouse.up();
  await expect.poll(async () => (await box(zone(ben, 'Shape'))).x).toBeGreaterThan(before.x + 20);
  await saved(ben);
});

test('who leaves is seen no more', async () => {
  await ben.getByRole('link', { name: 'Back', exact: true }).click();
  await ann.getByRole('img', { name: 'Also here: Ben Bly' }).waitFor({ state: 'detached' });
  await outlines(ann).waitFor({ state: 'detached' });
  expect(besidesRetries(complaints)).toEqual([]);
  expect(besidesRetries(bens)).toEqual([]);
});
