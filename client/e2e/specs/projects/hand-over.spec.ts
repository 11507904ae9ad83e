/** A project changes hands: by an offer in its Members window, and when its owner deletes their account. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { copiedLink, createListedProject } from '../../pages/project-page.ts';
import { allSaved, cell, tableShown, typeOver } from '../../pages/table-page.ts';
import { shots } from '../../screenshots.ts';
import type { Server } from '../../server.ts';
import { signInBeside, startSignedIn } from '../../signed-in.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };
const BEN = { name: 'Ben Bly', email: 'ben@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let ann: Page;
let ben: Page;
let project = '';
const complaints: string[] = [];

beforeAll(async () => {
  const first = await startSignedIn(ANN);
  ({ server, browser, page: ann } = first);
  const second = await signInBeside(browser, server, BEN);
  ben = second.page;
  await first.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await createListedProject(ann, 'Salt Road', ['Name,Text', 'Fox,quick', 'Dog,lazy'], server.dataDir);
  project = ann.url();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  expect(complaints).toEqual([]);
});

const members = async (page: Page) => {
  await page.getByRole('button', { name: 'Members' }).click();
  return page.getByRole('dialog', { name: 'Members' });
};
const offered = (page: Page) => page.getByRole('region', { name: 'Offered project' });

test('a member joins by a link', async () => {
  const dialog = await members(ann);
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  await dialog.getByRole('list', { name: 'Open invitations' }).getByText('Whoever has the link').waitFor();
  const link = await copiedLink(ann, () => dialog.getByRole('button', { name: 'Copy link' }).first().click());
  await ben.goto(link);
  await ben.getByRole('button', { name: 'Join as editor' }).click();
  await tableShown(ben);
  await ann.keyboard.press('Escape');
});

test('a member declines an offer, then takes one, and the former owner goes on as an editor', async () => {
  const offerToBen = async () => {
    const dialog = await members(ann);
    await dialog.getByRole('button', { name: 'Hand the project over…' }).press('Enter');
    await dialog.getByLabel('Hand over to').selectOption('Ben Bly');
    expect(await faultsInBoth(ann, 'offer')).toEqual([]);
    await shots(ann, 'offer-form');
    await dialog.getByRole('button', { name: 'Offer the project' }).press('Enter');
    await dialog.getByText('Offered to Ben Bly until', { exact: false }).waitFor();
    return dialog;
  };
  const dialog = await offerToBen();
  await ben.goto(`${server.origin}/decks`);
  await offered(ben).getByText('Ann Ames wants to hand Salt Road over to you.').waitFor();
  await offered(ben).getByRole('button', { name: 'Decline' }).press('Enter');
  await offered(ben).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Hand the project over…' }).waitFor();
  await ann.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  const second = await offerToBen();
  await offered(ben).waitFor();
  await second.getByRole('button', { name: 'Withdraw the offer' }).click();
  await offered(ben).waitFor({ state: 'detached' });
  await ann.keyboard.press('Escape');
  await second.waitFor({ state: 'detached' });

  const third = await offerToBen();
  // On the page of the project, too.
  await ben.goto(project);
  await offered(ben).getByText('wants to hand Salt Road over to you', { exact: false }).waitFor();
  expect(await faultsInBoth(ben, 'offered')).toEqual([]);
  await shots(ben, 'offered-project');
  await offered(ben).getByRole('button', { name: 'Accept' }).click();
  await ben.getByText('The project is yours now.').waitFor();
  await third.getByLabel('Role of Ann Ames').waitFor({ state: 'detached' });
  await third.getByText('Owners invite people and change roles.').waitFor();
  await ann.keyboard.press('Escape');
  await third.waitFor({ state: 'detached' });
  await cell(ann, 'Fox').click();
  await typeOver(ann, 'Red fox');
  await allSaved(ann);
  await cell(ben, 'Red fox').waitFor();
  await ben.goto(`${server.origin}/decks`);
  await ben
    .getByRole('list', { name: 'Projects', exact: true })
    .getByRole('link', { name: 'Open Salt Road' })
    .waitFor();
});

test('who deletes their account offers the project, and the member takes it', async () => {
  await ben.goto(`${server.origin}/account`);
  await ben.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = ben.getByRole('dialog', { name: 'Delete your account?' });
  const outcome = dialog.getByLabel('What becomes of Salt Road');
  await expect.poll(() => outcome.locator('option:checked').textContent()).toBe('Offer it to Ann Ames');
  expect(await faultsInBoth(ben, 'deletion')).toEqual([]);
  await shots(ben, 'delete-account');
  await dialog.getByLabel('Password', { exact: true }).fill(BEN.password);
  await dialog.getByRole('button', { name: 'Delete the account' }).click();
  await ben.getByRole('button', { name: 'Howdy!' }).waitFor();

  await ann.goto(project);
  await offered(ann).getByText('Ben Bly deleted their account.', { exact: false }).waitFor();
  await offered(ann).getByRole('button', { name: 'Accept' }).click();
  await ann.getByText('The project is yours now.').waitFor();
  await cell(ann, 'Dog').click();
  await typeOver(ann, 'Hound');
  await allSaved(ann);
  await ann.goto(`${server.origin}/decks`);
  await ann
    .getByRole('list', { name: 'Projects', exact: true })
    .getByRole('link', { name: 'Open Salt Road' })
    .waitFor();
});
