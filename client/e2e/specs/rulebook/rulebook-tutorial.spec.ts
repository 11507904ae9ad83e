/** The tutorial of rulebooks, followed literally by somebody who has one project. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Complaints } from '../../browser.ts';
import { createProject } from '../../pages/project-page.ts';
import { painted, saved, text } from '../../pages/rulebook-page.ts';
import { bubble, completed, startTutorial, step } from '../../pages/tutorial-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Rula Book', email: 'rula@example.com', password: 'a long enough one' };
const NAME = 'Write your first rulebook';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Driftglass');
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** True if nothing covers the middle of an element. */
const free = (selector: string): Promise<boolean> =>
  page.locator(selector).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

const next = () => bubble(page, NAME).getByRole('button', { name: 'Next' }).click();

test('write your first rulebook, from the project to its export', async () => {
  await startTutorial(page, NAME);
  await step(page, NAME, 1);
  await page.getByRole('link', { name: 'Open Driftglass' }).click();
  await step(page, NAME, 2);
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  await step(page, NAME, 3);
  await page.getByRole('button', { name: 'New rulebook' }).click();
  await step(page, NAME, 4);
  await expect.poll(() => free('[data-tutorial="make-rulebook"]')).toBe(true);
  await expect.poll(() => free('form select')).toBe(true);
  await page.getByLabel('Title').fill('Rules of Driftglass');
  await page.getByRole('button', { name: 'Make rulebook' }).click();
  await step(page, NAME, 5);
  // One writes while the bubble stands there.
  await text(page).getByText('Who are the players').click({ clickCount: 3 });
  await page.keyboard.type('You are gulls.');
  await step(page, NAME, 5);
  await next();
  await step(page, NAME, 6);
  await page.getByRole('button', { name: 'Insert', exact: true }).click();
  await step(page, NAME, 7);
  const insert = page.getByRole('dialog', { name: 'Insert' });
  // The bubble is in the window that lies above everything else, and then beside the text.
  await insert.getByRole('dialog', { name: `Tutorial: ${NAME}` }).waitFor();
  await insert.getByRole('option', { name: /^Definition/ }).click();
  await insert.waitFor({ state: 'detached' });
  await step(page, NAME, 7);
  await page.keyboard.type('Find');
  await page.keyboard.press('Enter');
  await page.keyboard.type('What the sea gives back.');
  await next();
  await step(page, NAME, 8);
  await painted(page);
  await next();
  await step(page, NAME, 9);
  await page.getByRole('tab', { name: /^Checks/ }).click();
  await page.getByRole('region', { name: 'Checks' }).waitFor();
  await step(page, NAME, 10);
  await expect.poll(() => free('[data-tutorial="export"]')).toBe(true);
  await bubble(page, NAME).getByRole('button', { name: 'End Tutorial' }).click();
  await completed(page, NAME);
  await saved(page);
  await text(page).getByText('What the sea gives back.').click();
  await expect.poll(() => page.getByRole('textbox', { name: 'Term', exact: true }).inputValue()).toBe('Find');
  expect(complaints).toEqual([]);
});

test('its guide is on the page of tutorials, and starts it', async () => {
  await page.goto(`${server.origin}/Tutorials/`);
  const guide = page.getByRole('region', { name: 'Write a rulebook' });
  await guide.getByRole('listitem').first().waitFor();
  await guide.getByRole('button', { name: 'Click through it' }).click();
  await page.waitForURL('**/decks');
  await step(page, NAME, 1);
  await bubble(page, NAME).getByRole('button', { name: 'Close tutorial' }).click();
});
