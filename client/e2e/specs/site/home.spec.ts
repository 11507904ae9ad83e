/** The first page: cards that follow the table beneath them and stay where they are. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../../browser.ts';
import { Server } from '../../server.ts';

/** Layout shift counted as none: less than a hundredth of the window by its whole height. */
const NO_SHIFT = 0.01;

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const painted = (page: Page) => page.locator('[data-state="painted"]').nth(2).waitFor();

test('a word in the table is a word on the card', async () => {
  const { context, page, complaints } = await openPage(browser);
  await page.goto(server.origin);
  await painted(page);
  const card = page.getByRole('button', { name: 'Change the card The Lantern' }).locator('canvas');
  const picture = () => card.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const before = await picture();
  await page.getByLabel('Name of card 1').fill('The Candle');
  const renamed = page.getByRole('button', { name: 'Change the card The Candle' }).locator('canvas');
  await expect
    .poll(() => renamed.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL()))
    .not.toBe(before);
  await page.getByRole('button', { name: 'As it was' }).click();
  await expect.poll(picture).toBe(before);
  // A card leads to its row.
  await page.getByRole('button', { name: 'Change the card Ember Fox' }).click();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Name of card 3');
  expect(complaints).toEqual([]);
  await context.close();
});

test.each([1440, 1024, 390])('nothing moves while it loads, %i wide', async (width) => {
  const { context, page } = await openPage(browser);
  await page.setViewportSize({ width, height: 900 });
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.sum += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(server.origin);
  await painted(page);
  const sum = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum);
  expect(sum).toBeLessThan(NO_SHIFT);
  await context.close();
});
