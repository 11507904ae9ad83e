/** Tables and prints of a version: both say which, and neither follows the project as it goes on. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { exportProject } from '../../headless.ts';
import { cardsInHand, noteFrames, piece, press } from '../../pages/play-page.ts';
import { freeze, shotOf, version } from '../../pages/versions-page.ts';
import { pdfText } from '../../pdf.ts';
import { putCards } from '../../rest-cards.ts';
import { plainOf, RestUser } from '../../rest-user.ts';
import { BINARY, PROJECT, type Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Ada Blackjack', email: 'ada@example.com', password: 'a long enough one' };
const run = promisify(execFile);
const ROOT = `projects/${PROJECT}/databases/(default)/documents`;

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let user: RestUser;
let frames: { text(): string };

const card = (order: number, name: string) => ({ order, copies: 1, cells: { name } });

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  frames = noteFrames(page);
  user = await RestUser.signIn(server.origin, PERSON);
  const layout = newLayout('Front');
  const title = newZone('text', 'title', 'Title', { x: 5, y: 5, w: 50, h: 20 });
  title.bindings = { text: { mode: 'column', column: 'name' } };
  layout.zones = [title];
  await putCards(user, {
    project: 'Tides',
    component: 'Events',
    columns: { name: ['Name', 'text'] },
    cards: { ash: card(0, 'OldAshFace'), ebb: card(1, 'OldEbbFace') },
    layout,
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const versions = () => page.goto(`${server.origin}/decks/d/versions`);
const openVersion = async (name: string) => {
  await versions();
  await version(page, name)
    .getByRole('link', { name: `Open ${name}` })
    .click();
  await page.getByRole('complementary', { name: 'Version' }).getByText(`${name} of Tides`).waitFor();
};

/** All documents of a collection. */
async function all(collection: string): Promise<Record<string, unknown>[]> {
  const headers = { Authorization: `Bearer ${user.token}` };
  const reply = await fetch(`${server.origin}/v1/${ROOT}/${collection}`, { headers });
  const { documents = [] } = (await reply.json()) as { documents?: { fields?: object }[] };
  return documents.map(({ fields = {} }) => plainOf({ mapValue: { fields } }) as Record<string, unknown>);
}

test('a table of a version has the cards of then while the project moves on, and no way to follow it', async () => {
  await versions();
  await freeze(page, 'v0.7');
  await user.put({
    'projects/d/components/c/cards/ash': card(0, 'NewAshFace'),
    'projects/d/components/c/cards/ebb': card(1, 'NewEbbFace'),
  });
  await openVersion('v0.7');
  await page.getByRole('button', { name: 'Playtest' }).click();
  const dialog = page.getByRole('dialog', { name: 'Playtest' });
  await dialog.getByText('The cards stay as they are in v0.7, whatever changes in the project.').waitFor();
  expect(await dialog.getByLabel('Name of the table').inputValue()).toBe('Tides v0.7');
  expect(await faultsInBoth(page, 'a table of a version')).toEqual([]);
  await shotOf(page, 'versions-playtest');
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await piece(page, /^Events ?, ?2 pieces/).waitFor();
  await page.getByTitle('The cards stay as they are in v0.7.').waitFor();
  expect(await page.getByRole('button', { name: /^Changes of the project/ }).count()).toBe(0);
  await press(page, /^Events ?, ?2 pieces/, 'D');
  await press(page, /^Events/, 'D');
  await cardsInHand(page).nth(1).waitFor();
  // The project goes on while they play.
  await user.put({ 'projects/d/components/c/cards/ash': card(0, 'LaterAshFace') });
  await page.reload();
  await cardsInHand(page).nth(1).waitFor();
  const held = await cardsInHand(page).evaluateAll((cards) =>
    cards.map((one) => (one.getAttribute('aria-label') ?? '').split(',')[0]),
  );
  expect(held.sort()).toEqual(['OldAshFace', 'OldEbbFace']);
  expect(frames.text()).not.toMatch(/NewAshFace|NewEbbFace|LaterAshFace/);
  expect(await faultsInBoth(page, 'at a table of a version')).toEqual([]);
  await shotOf(page, 'versions-table');
  await page.goto(`${server.origin}/playtesting`);
  await page.getByRole('list', { name: 'Open tables' }).getByText('Tides · v0.7').waitFor();
  await openVersion('v0.7');
  await page.getByRole('button', { name: 'Playtest' }).click();
  await dialog.getByRole('list', { name: 'Open tables' }).getByRole('link', { name: 'Join' }).waitFor();
});

/** Prints the project that is shown, and waits until the print is noted. */
async function print(prints: number): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByText(/^2 cards on/).waitFor();
  const making = page.waitForEvent('download');
  await page
    .getByRole('button', { name: /^(Make|Download|Export) PDF|^Make PDF|PDF$/ })
    .first()
    .click();
  const file = (await making).suggestedFilename();
  await expect.poll(() => all('projects/d/printRuns')).toHaveLength(prints);
  return file;
}

test('a print says its version: that of today is frozen first, that of a version is noted in its project', async () => {
  await page.goto(`${server.origin}/decks/d`);
  expect(await print(1)).toBe('Tides, Events.pdf');
  await openVersion('v0.7');
  expect(await print(2)).toBe('Tides v0.7, Events.pdf');
  const runs = (await all('projects/d/printRuns')).sort((a, b) => Number(a['number']) - Number(b['number']));
  expect(runs.map(({ versionName }) => versionName)).toEqual(['Version 2', 'v0.7']);
  const frozen = await all('projects/d/gameVersions');
  expect(frozen.map(({ reason }) => reason).sort()).toEqual(['', 'print']);
  await page.goto(`${server.origin}/decks/print/d`);
  const since = page.getByLabel('Only what changed');
  await expect
    .poll(() => since.locator('option').allTextContents())
    .toEqual([
      'Print all of them',
      expect.stringMatching(/^Since print 2 of v0\.7, .* \(2\)$/),
      expect.stringMatching(/^Since print 1 of Version 2, .* \(2\)$/),
    ]);
  // On paper lies v0.7, of which both cards have changed.
  await page.locator('summary', { hasText: 'Cards' }).first().click();
  await since.selectOption({ index: 1 });
  await page.getByText(/^2 cards on/).waitFor();
  await shotOf(page, 'versions-prints');
});

test('exports on the command line take the version by its name', async () => {
  const out = join(server.dataDir, 'v0.7.pdf');
  await exportProject(server, PERSON, 'Tides', out, ['--version', 'v0.7']);
  expect(await pdfText(out)).toMatch(/OldAshFace.*OldEbbFace/);
  await exportProject(server, PERSON, 'Tides', out);
  expect(await pdfText(out)).toMatch(/LaterAshFace.*NewEbbFace/);
  // By the program as people call it, which hands its options on.
  const again = await run(
    BINARY,
    [
      'export-deck',
      '--version',
      '#1',
      'Tides',
      '--email',
      PERSON.email,
      '--server',
      server.origin,
      '--out',
      out,
    ],
    { env: { ...process.env, TUCKBOX_PASSWORD: PERSON.password } },
  );
  expect(again.stderr).toContain('2 cards');
  expect(await pdfText(out)).toContain('OldAshFace');
  const missing = exportProject(server, PERSON, 'Tides', out, ['--version', 'v9']);
  await expect(missing).rejects.toThrow('“Tides” has no version “v9”. There is: “#2”, “v0.7”.');
  const call = await user.post(`/${PROJECT}/us-central1/exportDeck`, {
    data: { project: 'Tides', version: 'v0.7', format: 'pdf' },
  });
  expect(call).toMatchObject({ result: { name: 'Tides v0.7.pdf' } });
  expect(besidesRetries(complaints)).toEqual([]);
});
