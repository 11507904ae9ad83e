/** The first page: cards that follow the table beneath them, soon there and staying where they are. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../browser.ts';
import { Server } from '../server.ts';

/** First paint may come this much later than that of an empty page, in milliseconds. */
const PAINT_BUDGET_MS = 1_000;
/** Layout shift counted as none: less than a hundredth of the window by its whole height. */
const NO_SHIFT = 0.01;
/** Loads of each page; the best counts, because the machine has other things to do. */
const LOADS = 3;

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

/** Milliseconds from the start of loading to the first paint. */
const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((found) => {
        const observer = new PerformanceObserver((list) => {
          const [entry] = list.getEntriesByName('first-contentful-paint');
          if (entry) found(entry.startTime);
        });
        observer.observe({ type: 'paint', buffered: true });
      }),
  );

async function best(url: string, html?: string): Promise<number> {
  const times: number[] = [];
  for (let load = 0; load < LOADS; load++) {
    const { context, page } = await openPage(browser);
    if (html !== undefined) {
      await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: html }));
    }
    await page.goto(url);
    times.push(await firstPaint(page));
    await context.close();
  }
  return Math.min(...times);
}

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

test('it is painted soon after an empty page would be', async () => {
  const empty = await best(`${server.origin}/empty`, '<!doctype html><title>Empty</title><p>Nothing</p>');
  const home = await best(`${server.origin}/`);
  console.info(`first paint: empty page ${Math.round(empty)} ms, Home ${Math.round(home)} ms`);
  expect(home - empty).toBeLessThan(PAINT_BUDGET_MS);
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
