/** A data folder of an earlier release, upgraded at its first start: everybody finds what was theirs, at the old addresses. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, openPage } from '../../browser.ts';
import { EDITOR, OWNER, STRANGER, VIEWER } from '../../fixture/people.ts';
import { layers } from '../../pages/editor-page.ts';
import { painted } from '../../pages/images-page.ts';
import { allSaved, cell, tableShown, typeOver } from '../../pages/table-page.ts';
import { Server } from '../../server.ts';
import { starforgedRows } from '../../starforged.ts';

const FOLDERS = resolve(import.meta.dirname, '../../../../functions-host/tests/data-folders');
/** Picture of the editor on the second card, and one of the owner on the third. */
const OWL = [36, 180, 72] as const;
const THIRD = [2, 14, 1] as const;

describe.each([1, 2])('a folder of format %i', (format) => {
  let server: Server;
  let browser: Browser;
  let scratch = '';
  /** Names of the cards, in order. */
  let names: string[];
  /** Addresses that that release showed. */
  let addresses: Readonly<Record<string, string>>;

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'tuckbox-upgraded-'));
    await promisify(execFile)('tar', ['-xzf', join(FOLDERS, `format-${format}.tar.gz`), '-C', scratch]);
    ({ addresses } = JSON.parse(await readFile(join(scratch, 'inventory.json'), 'utf8')));
    names = (await starforgedRows()).map(([, name = '']) => name);
    [server, browser] = await Promise.all([Server.open(join(scratch, 'data'), 'serving'), launch()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await rm(scratch, { recursive: true, force: true });
  });

  /** An address of that release, at this server. */
  const old = (name: string): string => `${server.origin}${new URL(addresses[name] ?? '').pathname}`;

  /** A person who opens an old address and signs in there. */
  async function enters(person: { email: string; password: string }, address: string): Promise<Page> {
    const { page } = await openPage(browser);
    await page.goto(address);
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL((url) => url.href === address);
    return page;
  }

  /** The second and the third card with their pictures. */
  async function seesPictures(page: Page): Promise<void> {
    for (const [index, color] of [
      [1, OWL],
      [2, THIRD],
    ] as const) {
      await cell(page, names[index] ?? '').click();
      await painted(page, color);
    }
  }

  test('the owner finds the projects, with their pictures, layouts, notes, prints and members', async () => {
    const page = await enters(OWNER, old('Starforged'));
    await tableShown(page);
    await cell(page, `${names[0]}, revised`).waitFor();
    await seesPictures(page);
    await page.getByRole('button', { name: 'Notes' }).click();
    await page.getByRole('dialog', { name: 'Notes' }).getByText('Pay the iron price.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Members' }).click();
    const members = page.getByRole('dialog', { name: 'Members' });
    await members.getByLabel(`Role of ${EDITOR.name}`).waitFor();
    await members.getByLabel(`Role of ${VIEWER.name}`).waitFor();
    await members
      .getByRole('list', { name: 'Open invitations' })
      .getByText('nobody@fixture.example')
      .waitFor();
    await page.keyboard.press('Escape');
    await cell(page, names[3] ?? '').click();
    await typeOver(page, 'Changed after the upgrade');
    await allSaved(page);

    await page.goto(`${server.origin}/decks`);
    for (const name of ['Starforged', 'Threats'])
      await page.getByRole('link', { name: `Open ${name}` }).waitFor();
    await page.getByRole('button', { name: 'More for Starforged' }).click();
    await page.getByRole('menuitem', { name: 'Details' }).click();
    const details = page.getByRole('dialog', { name: 'Project details' });
    await details.getByLabel('Name').fill('Starforged, again');
    await details.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Open Starforged, again' }).waitFor();

    await page.goto(old('Threats'));
    await tableShown(page);
    await page.goto(`${server.origin}/images/art/set 0`);
    await page.getByRole('option', { name: 'art/set 0/harbour.png', exact: true }).waitFor();
    const layout = addresses['shared layout']?.split('/').at(-1);
    const idOf = (name: string) => new URL(addresses[name] ?? '').pathname.split('/').at(-1);
    // Addresses of layouts as that release had them: alone, and with a project whose layout has another id now.
    await page.goto(`${server.origin}/layouts/edit/${layout}`);
    await page.waitForURL(`**/layouts/edit/${idOf('Starforged')}.${layout}`);
    await layers(page).getByRole('button', { name: 'Name', exact: true }).waitFor();
    await page.goto(`${server.origin}/layouts/edit/${layout}?deck=${idOf('Threats')}`);
    await page.waitForURL(
      ({ pathname }) => pathname.includes(`/${idOf('Threats')}.`) && !pathname.endsWith(`.${layout}`),
    );
    await layers(page).getByRole('button', { name: 'Name', exact: true }).waitFor();
    // A variant that no project uses lies in the library, and follows the layout where that is now.
    await page.goto(`${server.origin}/layouts`);
    await page
      .getByRole('list', { name: 'Layouts', exact: true })
      .getByRole('link', { name: 'Asset card, a variant', exact: true })
      .click();
    await page.getByRole('button', { name: 'More for this layout' }).click();
    await page.getByRole('menuitem', { name: 'Follows Asset card' }).waitFor();
  });

  test('an editor sees the owner’s pictures and works on; a viewer looks', async () => {
    const editor = await enters(EDITOR, old('Starforged'));
    await tableShown(editor);
    await seesPictures(editor);
    await cell(editor, names[4] ?? '').click();
    await typeOver(editor, 'By the editor');
    await allSaved(editor);
    const viewer = await enters(VIEWER, old('Starforged'));
    await tableShown(viewer);
    await cell(viewer, 'By the editor').waitFor();
    await editor.getByRole('button', { name: 'Edit layout' }).click();
    await layers(editor).getByRole('button', { name: 'Name', exact: true }).waitFor();
    await viewer.getByText(`Viewer of ${OWNER.name}’s project`, { exact: false }).waitFor();
    await seesPictures(viewer);
  });

  test('a shared layout opens by its old link; a project stays closed to strangers', async () => {
    const page = await enters(STRANGER, old('shared layout'));
    await page.getByRole('button', { name: 'Copy to my layouts' }).waitFor();
    await page.goto(old('Starforged'));
    await page.getByText('This project is not here').waitFor();
  });

  test('pictures of a printed simulator save answer at their addresses', async () => {
    const urls = new Set(addresses['simulator save']?.match(/https?:[^"{]+/g));
    expect(urls.size).toBeGreaterThan(0);
    for (const url of urls) {
      const { pathname, search } = new URL(url);
      const reply = await fetch(`${server.origin}${pathname}${search}`);
      expect(reply.status, url).toBe(200);
      expect(reply.headers.get('content-type')).toMatch(/^image\//);
    }
  });
});
