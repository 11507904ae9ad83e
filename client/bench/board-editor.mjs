// Strokes of a brush on a map of 10,000 hexagons in the real editor, without an account: `/boards`.
import { existsSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { clock, timesRow } from './harness.mjs';
import { SERVER, startServer } from './server.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const STROKES = 25;
/** Strokes at first, while the browser compiles the code; they are not counted. */
const WARM_UP = 5;
/** Cells of one stroke, about. */
const CELLS = 6;

const nextFrames = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function openBoard(page, origin, map) {
  await page.goto(`${origin}/boards`);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a Tiled map' }).click();
  await (await choosing).setFiles({
    name: 'bench.tmj',
    mimeType: 'application/json',
    buffer: Buffer.from(map),
  });
  await page.getByRole('region', { name: 'Canvas' }).locator('[data-zone-id]').first().waitFor();
  await page.getByRole('region', { name: 'Canvas' }).locator('[data-zone-id]').first().click();
  await page.keyboard.press('b');
  const cells = page.getByRole('application', { name: /^Cells of Map/ });
  await cells.waitFor();
  return cells;
}

async function stroke(page, cells, index) {
  const { x, y, width, height } = cells;
  const cell = width / 100;
  const from = {
    x: x + width * (0.15 + 0.6 * ((index * 0.37) % 1)),
    y: y + height * (0.15 + 0.6 * ((index * 0.61) % 1)),
  };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let step = 1; step <= CELLS; step++)
    await page.mouse.move(from.x + step * cell, from.y + (step * cell) / 3);
  await page.mouse.up();
  await nextFrames(page);
}

/** Rows of `scripts/bench board`; none, with a word about it, where something is missing. */
export async function strokeResults(map) {
  if (!existsSync(CHROMIUM) || !existsSync(SERVER)) {
    console.warn(
      `STROKES IN THE EDITOR NOT MEASURED: ${existsSync(CHROMIUM) ? SERVER : CHROMIUM} is missing.`,
    );
    return [];
  }
  const server = await startServer();
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const cells = await (await openBoard(page, server.origin, map)).boundingBox();
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    for (let index = 0; index < WARM_UP; index++) await stroke(page, cells, index);
    const profile = process.env.TUCKBOX_PROFILE;
    if (profile) {
      await session.send('Profiler.enable');
      await session.send('Profiler.start');
    }
    const [script, task] = [[], []];
    for (let index = 0; index < STROKES; index++) {
      // Terrains change in turn, so that every stroke changes its cells.
      const before = await clock(session);
      await stroke(page, cells, index);
      const after = await clock(session);
      script.push(after.script - before.script);
      task.push(after.task - before.task);
    }
    if (profile) writeFileSync(profile, JSON.stringify((await session.send('Profiler.stop')).profile));
    return [
      timesRow('editor: a stroke of the brush, script', script),
      timesRow('editor: a stroke of the brush, main thread', task),
    ];
  } finally {
    await browser.close();
    server.stop();
  }
}
