/** A project owns its images: who sees it sees them whatever becomes of the account and the library that they came from. */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { launch, openPage } from '../../browser.ts';
import { endIntroduction } from '../../pages/account-page.ts';
import { bringFont, fontField, layers, properties, saved } from '../../pages/editor-page.ts';
import { painted, plain, signInByWire, storedImages, upload } from '../../pages/images-page.ts';
import { chooseFile, confirmImport, copiedLink, createProject } from '../../pages/project-page.ts';
import { allSaved, cell, tableShown, typeOver } from '../../pages/table-page.ts';
import { checkPdf } from '../../pdf.ts';
import { shots } from '../../screenshots.ts';
import { BINARY, PROJECT, Server } from '../../server.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };
const CAT = { name: 'Cat Coe', email: 'cat@example.com', password: 'a long enough one' };
const BEN = { name: 'Ben Bly', email: 'ben@example.com', password: 'a long enough one' };
const RED = [216, 36, 36] as const;
const CRIMSON = [188, 12, 60] as const;
const GREEN = [36, 180, 72] as const;
const execute = promisify(execFile);
const ADMIN = { Authorization: 'Bearer owner', 'Content-Type': 'application/json' };

let server: Server;
let browser: Browser;
let ann: Page;
let ben: Page;
let cat: Page;
let deck = '';

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start({ tuckbox: {} }, 'emulator'), launch()]);
  const { context, page } = await openPage(browser);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  ann = page;
  ({ page: ben } = await openPage(browser));
  ({ page: cat } = await openPage(browser));
  for (const [page, person] of [
    [ann, ANN],
    [ben, BEN],
    [cat, CAT],
  ] as const) {
    const { name: displayName, email, password } = person;
    const account = await fetch(
      `${server.origin}/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts`,
      {
        method: 'POST',
        headers: ADMIN,
        body: JSON.stringify({ displayName, email, password, emailVerified: true }),
      },
    );
    expect(account.status).toBe(200);
    await logIn(page, '/decks', person);
    await endIntroduction(page);
  }
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function logIn(page: Page, path: string, { email, password }: typeof ANN): Promise<void> {
  await page.goto(server.origin + path);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(server.origin + path);
}

const root = () => `${server.origin}/v1/projects/${PROJECT}/databases/(default)/documents`;
const tile = (page: Page, path: string) => page.getByRole('option', { name: path, exact: true });
const ofProject = () => `${server.origin}/decks/images/${deck}`;

/** Names of the images of the project, asked for without the application. */
async function imagesOfProject(): Promise<string[]> {
  const reply = await fetch(`${root()}/projects/${deck}/images`, { headers: ADMIN });
  const { documents = [] } = (await reply.json()) as {
    documents?: { fields: { path: { stringValue: string } } }[];
  };
  return documents.map(({ fields }) => fields.path.stringValue).sort();
}

const uploaded = (page: Page, name: string, color: readonly [number, number, number]) =>
  upload(page, server.dataDir, name, color);

test('what a project shows of its owner’s library becomes its own, and a member joins', async () => {
  await ann.goto(`${server.origin}/images`);
  await uploaded(ann, 'fox.png', RED);
  await ann.goto(`${server.origin}/decks`);
  await createProject(ann, 'Zoo');
  deck = new URL(ann.url()).pathname.split('/').at(-1) ?? '';
  const list = join(server.dataDir, 'zoo.csv');
  await writeFile(list, 'Name,Art\nFox,fox.png\nOwl,nothing.png\n');
  await chooseFile(ann, list);
  await confirmImport(ann, 2);
  await ann.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await painted(ann, RED);
  // Before anybody is invited.
  await expect.poll(imagesOfProject).toEqual(['fox.png']);
  await ann.getByRole('button', { name: 'Members' }).click();
  const members = ann.getByRole('dialog', { name: 'Members' });
  for (const [page, role] of [
    [ben, 'viewer'],
    [cat, 'editor'],
  ] as const) {
    await members.getByLabel('Role', { exact: true }).selectOption(role);
    await members.getByRole('button', { name: 'Make a link' }).click();
    const open = members.getByRole('list', { name: 'Open invitations' }).getByRole('listitem');
    const copy = open.filter({ hasText: new RegExp(role, 'i') }).getByRole('button', { name: 'Copy link' });
    const link = await copiedLink(ann, () => copy.click());
    await page.goto(link);
    await page.getByRole('button', { name: `Join as ${role}` }).click();
    await tableShown(page);
  }
});

test('a name that another editor types takes nothing out of the owner’s library; one’s own does, in a formula too', async () => {
  await ann.goto(`${server.origin}/images`);
  await uploaded(ann, 'secret.png', [120, 36, 120]);
  await uploaded(ann, 'den.png', [120, 120, 36]);
  await ann.goto(`${server.origin}/decks/${deck}`);
  await tableShown(ann);
  await cell(cat, 'nothing.png').click();
  await typeOver(cat, 'secret.png');
  await allSaved(cat);
  // Her own cards show it to her, and to nobody else.
  await cell(ann, 'secret.png').click();
  await painted(ann, [120, 36, 120]);
  // A change of her own is looked at, and takes what it names alone.
  await cell(ann, 'fox.png').click();
  await typeOver(ann, 'den.png');
  await allSaved(ann);
  await expect.poll(imagesOfProject).toEqual(['den.png', 'fox.png']);
  await ann.goto(ofProject());
  const note = ann.getByRole('status').filter({ hasText: 'One image of your library is shown' });
  await note.getByText('secret.png').waitFor();
  await shots(ann, 'lacking');
  expect(await faultsInBoth(ann)).toEqual([]);

  // An image that is taken out of the project stays out while a card goes on naming it, at the next visit too.
  await tile(ann, 'den.png').click();
  await ann.getByRole('button', { name: 'Delete image…' }).click();
  const question = ann.getByRole('dialog', { name: 'Delete this image?' });
  await question.getByRole('link', { name: 'Card “Fox” of “Zoo”' }).waitFor();
  await question.getByRole('button', { name: 'Delete image' }).click();
  await tile(ann, 'den.png').waitFor({ state: 'detached' });
  await ann.goto(`${server.origin}/decks/${deck}`);
  await tableShown(ann);
  await cell(ann, 'Owl').click();
  await typeOver(ann, 'Tawny owl');
  await allSaved(ann);
  await cell(ann, 'den.png').click();
  await typeOver(ann, 'fox.png');
  await allSaved(ann);
  await ann.goto(ofProject());
  await note.waitFor();
  expect(await imagesOfProject()).toEqual(['fox.png']);

  // A formula of a layout that names an image, written by hand.
  await ann.goto(`${server.origin}/decks/${deck}`);
  await ann.getByRole('button', { name: 'Edit layout' }).click();
  await layers(ann).getByRole('button', { name: 'Art', exact: true }).click();
  await properties(ann).getByLabel('Content', { exact: true }).selectOption({ label: 'Formula' });
  const formula = properties(ann).getByLabel('Content: formula', { exact: true });
  await formula.fill('if(Name == "Fox", "den.png", Art)');
  await formula.press('Tab');
  await saved(ann);
  await expect.poll(imagesOfProject).toEqual(['den.png', 'fox.png']);
  await properties(ann).getByLabel('Content', { exact: true }).selectOption({ label: 'Column: Art' });
  await saved(ann);
  await ann.goto(`${server.origin}/decks/${deck}`);
  await tableShown(ann);
  await cell(ann, 'secret.png').click();
  await typeOver(ann, 'nothing.png');
  await cell(ann, 'Tawny owl').click();
  await typeOver(ann, 'Owl');
  await allSaved(ann);
});

test('a font of one’s own lies in the project once a layout of it is set in it', async () => {
  await ann.goto(`${server.origin}/decks/${deck}`);
  await ann.getByRole('button', { name: 'Edit layout' }).click();
  await layers(ann).getByRole('button', { name: 'Name', exact: true }).click();
  const field = fontField(ann);
  await field.click();
  await bringFont(ann, ['tuckbox-test.otf']);
  await expect.poll(() => field.textContent()).toContain('Tuckbox Test');
  await saved(ann);
  const stored = async () => {
    const reply = await fetch(`${root()}/projects/${deck}/fonts`, { headers: ADMIN });
    const { documents = [] } = (await reply.json()) as {
      documents?: { fields: { name: { stringValue: string }; file: { stringValue: string } } }[];
    };
    return documents.map(({ fields }) => [fields.name.stringValue, fields.file.stringValue.split('/')[0]]);
  };
  await expect.poll(stored).toEqual([['Tuckbox Test', 'projects']]);
  const addresses = async () => {
    const reply = await fetch(`${root()}/projects/${deck}/layouts`, { headers: ADMIN });
    return [...(await reply.text()).matchAll(/\/o\/([a-z]+)%2F[^"]*?fonts%2F/g)].map(([, folder]) => folder);
  };
  await expect.poll(addresses).toEqual(['projects']);
  await saved(ann);

  // One that no layout names, as of a layout that was deleted, can be removed; the others say that they are in use.
  const text = (stringValue: string) => ({ stringValue });
  const file = text(`projects/${deck}/fonts/left.otf`);
  const left = {
    family: text('own-left'),
    name: text('Left'),
    file,
    url: text('/v0/b/x/o/left'),
    hash: text('x'),
  };
  const fields = { ...left, weight: { integerValue: '400' }, italic: { booleanValue: false } };
  const put = await fetch(`${root()}/projects/${deck}/fonts/left`, {
    method: 'PATCH',
    headers: ADMIN,
    body: JSON.stringify({ fields }),
  });
  expect(put.status).toBe(200);
  await field.click();
  await ann.getByRole('button', { name: 'Manage fonts' }).click();
  await ann.getByText('Fonts of this project').waitFor();
  await shots(ann, 'project-fonts');
  // The list may be older than the layout for a moment.
  const used = ann.getByRole('button', { name: /Tuckbox Test .* from the project$/ });
  await expect.poll(() => used.count()).toBe(0);
  await ann.getByRole('button', { name: 'Remove Left 400 from the project' }).click();
  await ann.getByRole('button', { name: 'Remove Left 400 from the project' }).waitFor({ state: 'detached' });
  await expect.poll(stored).toEqual([['Tuckbox Test', 'projects']]);
  await ann.keyboard.press('Escape');
});

test('images are uploaded, renamed, filed and picked in the project, and copied to and from the library', async () => {
  await ann.goto(`${server.origin}/decks/${deck}`);
  await tableShown(ann);
  await ann.getByRole('main').getByRole('link', { name: 'Images', exact: true }).click();
  await ann.waitForURL(ofProject());
  await tile(ann, 'fox.png').waitFor();
  await uploaded(ann, 'owl.png', GREEN);
  await tile(ann, 'owl.png').click();
  await shots(ann, 'project-images');
  expect(await faultsInBoth(ann)).toEqual([]);
  await ann.getByLabel('Folder', { exact: true }).fill('Birds');
  await ann.getByLabel('Folder', { exact: true }).press('Enter');
  await ann.getByRole('link', { name: /^Birds/ }).click();
  await tile(ann, 'Birds/owl.png').click();
  await ann.getByLabel('Credit', { exact: true }).fill('Photo by Ann');
  await ann.getByLabel('Credit', { exact: true }).press('Enter');
  await ann.getByRole('button', { name: 'Copy to…' }).click();
  const taking = ann.getByRole('dialog', { name: 'Copy “Birds/owl.png” to' });
  await taking.getByRole('radio', { name: /^Your library/ }).check();
  await taking.getByRole('button', { name: 'Copy', exact: true }).click();
  await ann.getByText('“Birds/owl.png” was copied to your library.').waitFor();
  await expect
    .poll(async () => (await storedImages(server, ANN)).map(({ path }) => path).sort())
    .toEqual(['Birds/owl.png', 'den.png', 'fox.png', 'secret.png']);

  await ann.goto(`${server.origin}/decks/${deck}`);
  await tableShown(ann);
  await cell(ann, 'nothing.png').click();
  await ann.getByRole('button', { name: 'Choose an image' }).click();
  const picker = ann.getByRole('dialog', { name: 'Choose an image' });
  await picker.getByRole('option', { name: 'Birds/owl.png', exact: true }).click();
  await shots(ann, 'picker');
  await picker.getByRole('button', { name: 'Use image' }).click();
  await picker.waitFor({ state: 'detached' });
  await allSaved(ann);
  await painted(ann, GREEN);

  // From the library into the project, by the menu; what is there already is not copied twice.
  await ann.goto(`${server.origin}/images`);
  await uploaded(ann, 'elk.png', [36, 72, 216]);
  await tile(ann, 'elk.png').click();
  await tile(ann, 'fox.png').click({ modifiers: ['Control'] });
  await ann.getByRole('button', { name: 'Use in a project…' }).click();
  const dialog = ann.getByRole('dialog', { name: 'Copy 2 images to' });
  await dialog.getByRole('radio', { name: /^Zoo/ }).check();
  await shots(ann, 'use-in-a-project');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await ann.getByText('2 images were copied to Zoo.').waitFor();
  expect(await imagesOfProject()).toEqual(['Birds/owl.png', 'den.png', 'elk.png', 'fox.png']);
  // Deleting in the library tells of the copies, which stay.
  await ann.keyboard.press('Escape');
  await tile(ann, 'elk.png').click();
  await ann.keyboard.press('Delete');
  const question = ann.getByRole('dialog', { name: 'Delete this image?' });
  await question.getByText('Copies in projects stay:').waitFor();
  await question.getByRole('link', { name: 'Images of “Zoo”' }).waitFor();
  await question.getByRole('button', { name: 'Delete image' }).click();
  await tile(ann, 'elk.png').waitFor({ state: 'detached' });
  expect(await imagesOfProject()).toEqual(['Birds/owl.png', 'den.png', 'elk.png', 'fox.png']);
});

test('an image that changes in the library is updated in projects, which are shown first', async () => {
  await ann.goto(`${server.origin}/images`);
  await tile(ann, 'fox.png').click();
  const offer = ann.getByRole('button', { name: /^Update in/ });
  await ann.getByRole('button', { name: 'Use in a project…' }).waitFor();
  expect(await offer.count()).toBe(0);
  const [before] = (await storedImages(server, ANN, deck)).filter(({ path }) => path === 'fox.png');
  await writeFile(join(server.dataDir, 'new.png'), plain(CRIMSON));
  const chooser = ann.waitForEvent('filechooser');
  await ann.getByRole('button', { name: 'Replace', exact: true }).click();
  await (await chooser).setFiles(join(server.dataDir, 'new.png'));
  await ann.getByText('Copies in projects stay as they are until you update them.').waitFor();
  const [kept] = (await storedImages(server, ANN, deck)).filter(({ path }) => path === 'fox.png');
  expect(kept).toEqual(before);
  await offer.click();
  const dialog = ann.getByRole('dialog', { name: 'Update copies of fox.png' });
  await dialog.getByRole('checkbox', { name: 'Zoo' }).waitFor();
  await shots(ann, 'update-copies');
  expect(await faultsInBoth(ann)).toEqual([]);
  await dialog.getByRole('button', { name: 'Update in 1 project' }).click();
  await ann.getByText('Updated in 1 project.').waitFor();
  await offer.waitFor({ state: 'detached' });
  const [after] = (await storedImages(server, ANN, deck)).filter(({ path }) => path === 'fox.png');
  expect(after?.id).toBe(before?.id);
  expect(after?.hash).not.toBe(before?.hash);
  await ann.goto(`${server.origin}/decks/${deck}`);
  await tableShown(ann);
  await painted(ann, CRIMSON);

  // From one project into another.
  await ann.goto(`${server.origin}/decks`);
  await createProject(ann, 'Farm');
  const farm = new URL(ann.url()).pathname.split('/').at(-1) ?? '';
  await ann.goto(ofProject());
  await tile(ann, 'fox.png').click();
  await ann.getByRole('button', { name: 'Copy to…' }).click();
  const using = ann.getByRole('dialog', { name: 'Copy “fox.png” to' });
  await using.getByRole('radio', { name: /^Farm/ }).check();
  expect(await using.getByRole('radio').count()).toBe(2);
  await using.getByRole('button', { name: 'Copy', exact: true }).click();
  await ann.getByText('“fox.png” was copied to Farm.').waitFor();
  expect((await storedImages(server, ANN, farm)).map(({ path }) => path)).toEqual(['fox.png']);
});

test('a viewer sees the images of the project and changes none', async () => {
  await ben.goto(ofProject());
  await ben.getByRole('link', { name: /^Birds/ }).click();
  await tile(ben, 'Birds/owl.png').click();
  await ben.getByRole('definition').filter({ hasText: 'Photo by Ann' }).waitFor();
  await shots(ben, 'viewer');
  await ben.goto(ofProject());
  await tile(ben, 'fox.png').click();
  await ben.getByRole('button', { name: 'Where is it used?' }).click();
  await ben.getByRole('link', { name: 'Card “Fox” of “Zoo”' }).waitFor();
  for (const name of ['Upload images', 'Replace', 'Crop', 'Delete image…'])
    expect(await ben.getByRole('button', { name }).count(), name).toBe(0);
  for (const field of ['Name', 'Folder', 'Credit'])
    expect(await ben.getByRole('textbox', { name: field, exact: true }).count(), field).toBe(0);
  expect(await faultsInBoth(ben)).toEqual([]);
});

test('a member opens and prints the project with the owner’s account disabled and her library gone', async () => {
  const { uid } = await signInByWire(server, ANN);
  await ann.close();
  const library = (await storedImages(server, ANN)).map(
    ({ id }) => `${root()}/users/${uid}/library/images/items/${id}`,
  );
  expect(library).toHaveLength(4);
  for (const url of library)
    expect((await fetch(url, { method: 'DELETE', headers: ADMIN })).status).toBe(200);
  const bucket = `${server.origin}/v0/b/${PROJECT}.appspot.com/o`;
  const listed = await fetch(`${bucket}?prefix=${encodeURIComponent(`users/${uid}/`)}`, { headers: ADMIN });
  const { items } = (await listed.json()) as { items: { name: string }[] };
  expect(items.length).toBeGreaterThan(0);
  for (const { name } of items) {
    const reply = await fetch(`${bucket}/${encodeURIComponent(name)}`, { method: 'DELETE', headers: ADMIN });
    expect(reply.status, name).toBe(204);
  }
  const disabled = await fetch(
    `${server.origin}/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:update`,
    { method: 'POST', headers: ADMIN, body: JSON.stringify({ localId: uid, disableUser: true }) },
  );
  expect(disabled.status).toBe(200);
  await expect(signInByWire(server, ANN).then(({ uid: found }) => found)).resolves.toBeUndefined();

  const { page } = await openPage(browser);
  await logIn(page, `/decks/${deck}`, BEN);
  await tableShown(page);
  await painted(page, CRIMSON);
  await cell(page, 'Owl').click();
  await painted(page, GREEN);
  await page.goto(`${server.origin}/decks/print/${deck}`);
  const printed = page.waitForEvent('download', { timeout: 120_000 });
  await page.getByRole('button', { name: 'Export PDF', exact: true }).click();
  const file = join(server.dataDir, 'zoo.pdf');
  await (await printed).saveAs(file);
  await checkPdf(file);
  expect(await page.getByText('is not in the library').count()).toBe(0);
  const { stdout: fonts } = await execute('pdffonts', [file]);
  expect(fonts).toMatch(/\+own-/);

  // Without a browser too.
  const made = join(server.dataDir, 'made.pdf');
  const args = ['export-deck', deck, '--email', BEN.email, '--server', server.origin, '--out', made];
  await execute(BINARY, args, { env: { ...process.env, TUCKBOX_PASSWORD: BEN.password } });
  await checkPdf(made);
  expect((await execute('pdffonts', [made])).stdout).toMatch(/\+own-/);
  expect((await execute('pdfimages', ['-list', made])).stdout.trim().split('\n').length).toBeGreaterThan(3);
});
