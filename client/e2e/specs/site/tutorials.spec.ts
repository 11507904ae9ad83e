/** The click-through tutorials, from the first step to the last, on the real screens. */

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOST_MESSAGE } from '../../../src/app/tutorials/engine.ts';
import type { Complaints } from '../../browser.ts';
import { createProject } from '../../pages/project-page.ts';
import * as tutorial from '../../pages/tutorial-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Tuto Rial', email: 'tuto@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

const bubble = (name: string, tab = page) => tutorial.bubble(tab, name);
const start = (name: string, tab = page) => tutorial.startTutorial(tab, name);
const step = (name: string, number: number, tab = page) => tutorial.step(tab, name, number);
const next = (name: string) => bubble(name).getByRole('button', { name: 'Next' }).click();
const completed = (name: string) => tutorial.completed(page, name);

// The tutorials are followed literally, one after another, by somebody who has just signed up.
test('create your first layout, through a reload, ending with the arrow it speaks of', async () => {
  const name = 'Create your first layout';
  await start(name);
  await page.waitForURL('**/layouts');
  await step(name, 1);
  await page.getByRole('button', { name: 'New layout' }).click();
  await step(name, 2);
  await page.getByLabel('Layout name').click();
  await step(name, 2);
  await page.getByLabel('Layout name').fill('Heroes');
  await page.reload();
  await step(name, 2);
  await next(name);
  await step(name, 3);
  await page.getByRole('button', { name: 'Add text' }).click();
  await step(name, 4);
  await page.getByLabel('Own text').fill('Fox');
  await page.keyboard.press('Tab');
  await step(name, 4);
  await next(name);
  await step(name, 5);
  await page.getByRole('button', { name: 'Add shape' }).click();
  await step(name, 6);
  await page.keyboard.press('Control+Enter');
  await step(name, 7);
  await page.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL('**/layouts');
  await completed(name);
});

test('who has no project to play is led to the sample game', async () => {
  const name = 'Play your first table';
  await start(name);
  await step(name, 1);
  await page.getByRole('button', { name: 'Open the sample game' }).click();
  await step(name, 2);
  await page.getByRole('heading', { level: 1, name: 'Driftglass' }).waitFor();
  await bubble(name).getByRole('button', { name: 'Close tutorial' }).click();
  await bubble(name).waitFor({ state: 'detached' });
  await page.goto(`${server.origin}/decks`);
});

test('create your first project, with the sample list and a layout from its columns', async () => {
  const name = 'Create your first project';
  await start(name);
  await step(name, 1);
  await page.getByRole('button', { name: 'New project' }).first().click();
  await step(name, 2);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('First game');
  await next(name);
  await step(name, 3);
  await page.getByRole('button', { name: 'Create project' }).click();
  await step(name, 4);
  await page.getByRole('button', { name: 'Add component' }).first().click();
  await step(name, 5);
  await page.getByRole('button', { name: 'Take the sample list' }).click();
  await step(name, 6);
  await page.getByRole('button', { name: 'Import 8 cards' }).click();
  await step(name, 7);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await completed(name);
});

test('print your component to PDF, what the tutorial before has made', async () => {
  const name = 'Print your component to PDF';
  await start(name);
  await step(name, 1);
  await page.getByRole('link', { name: 'Open First game' }).click();
  await step(name, 2);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await step(name, 3);
  await next(name);
  await step(name, 4);
  await next(name);
  await step(name, 5);
  const download = page.waitForEvent('download');
  await page.locator('[data-tutorial="export-pdf"]').click();
  await completed(name);
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  expect(complaints).toEqual([]);
});

test('play your first table, with the project that was made', async () => {
  const name = 'Play your first table';
  await start(name);
  await step(name, 1);
  await page.getByRole('link', { name: 'Open First game' }).click();
  await step(name, 2);
  await page.getByRole('button', { name: 'Playtest' }).click();
  await step(name, 3);
  await page.getByRole('button', { name: 'Open the table' }).click();
  await step(name, 4);
  await page
    .getByRole('treeitem', { name: /pieces$/ })
    .first()
    .click();
  await page.keyboard.press('D');
  await page.getByRole('region', { name: 'Your hand' }).getByText('1 card', { exact: true }).waitFor();
  // The list is for more than one click.
  await step(name, 4);
  await next(name);
  await step(name, 5);
  await next(name);
  await step(name, 6);
  await page.getByRole('button', { name: 'People' }).click();
  // The window is read in peace: the tutorial goes on when it is closed.
  await page.getByRole('dialog', { name: 'People' }).getByText('Code', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await step(name, 7);
  await bubble(name).getByRole('button', { name: 'End Tutorial' }).click();
  await completed(name);
  expect(complaints).toEqual([]);
});

test('a file that is dropped where the words say is an import as well; cards without a look get one', async () => {
  const [second, third] = ['Create your first project', 'Print your component to PDF'] as const;
  await start(second);
  await step(second, 1);
  await createProject(page, 'Dropped');
  await step(second, 4);
  await page.getByRole('button', { name: 'Add component' }).first().click();
  await step(second, 5);
  await page.locator('[data-tutorial="pick-file"]').evaluate((element) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['Name,Text\nFox,Quick\n'], 'list.csv', { type: 'text/csv' }));
    for (const type of ['dragover', 'drop'])
      element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  });
  await step(second, 6);
  await page.getByRole('button', { name: 'Import 1 card' }).click();
  await step(second, 7);
  await bubble(second).getByRole('button', { name: 'End Tutorial' }).click();

  await start(third);
  await step(third, 1);
  await page.getByRole('link', { name: 'Open Dropped' }).click();
  await step(third, 2);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await step(third, 3);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await step(third, 4);
  await page.locator('[data-tutorial="paper"]').selectOption({ index: 1 });
  await step(third, 5);
  await bubble(third).getByRole('button', { name: 'End Tutorial' }).click();
  await bubble(third).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('one that runs in a tab is no other tab’s, until one is begun there; what is left open goes on', async () => {
  const [first, second] = ['Create your first layout', 'Create your first project'] as const;
  await start(first);
  await step(first, 1);
  const other = await context.newPage();
  await other.goto(`${server.origin}/layouts`);
  await start(second, other);
  await step(second, 1, other);
  await bubble(first).waitFor({ state: 'detached' });
  expect(await page.getByText(LOST_MESSAGE).count()).toBe(0);
  await other.getByRole('button', { name: 'New project' }).first().click();
  await step(second, 2, other);

  // The tab is closed with its tutorial: the next one to be loaded finds it, a step back.
  await other.close();
  await page.goto(`${server.origin}/decks`);
  await step(second, 1);
  await bubble(second).getByRole('button', { name: 'Close tutorial' }).click();
  await bubble(second).waitFor({ state: 'detached' });
});

test('a target that goes away ends the tutorial, and says so', async () => {
  const name = 'Create your first layout';
  await start(name);
  await step(name, 1);
  await page.getByRole('link', { name: 'Tuckbox, home' }).click();
  await page.getByText(LOST_MESSAGE).waitFor();
  await page.getByRole('button', { name: 'Close tutorial' }).click();
  await page.getByText(LOST_MESSAGE).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await bubble(name).count()).toBe(0);
});
