// The card table under load, in a real browser against the real server: `node bench/table.mjs [--json FILE] [--rows 5000]`.
// Starts TUCKBOX_BIN (`scripts/bench` hands over the release build; without it `target/debug/tuckbox`) in memory and
// serves client/dist. Prints milliseconds; compare figures of one run with each other only.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { signUp, startServer } from './server.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    rows: { type: 'string', default: '5000' },
    columns: { type: 'string', default: '30' },
    strip: { type: 'string', default: '1000' },
  },
});
const ROWS = Number(options.rows);
const COLUMNS = Number(options.columns);
const STRIP = Number(options.strip);
const PASTE = { rows: 2_000, columns: 20 };
/** Distance that a quick hand on a wheel or touchpad scrolls in one frame: 7,200 pixels a second. */
const HAND_PX = 120;
/** A frame later than this was dropped at 60 Hz, in milliseconds. */
const DROPPED_MS = 34;

async function project(page, origin, name, csv, cards) {
  await page.goto(`${origin}/decks`);
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('button', { name: 'Add component' }).first().click();
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(csv) });
  const started = performance.now();
  await page.getByRole('button', { name: `Import ${cards} cards` }).click();
  await firstRow(page).waitFor();
  return performance.now() - started;
}

const firstRow = (page) => page.locator('.sheet .dsg-row:not(.dsg-row-header) .dsg-cell').first();
const saved = (page) =>
  page.getByRole('toolbar', { name: 'Table' }).getByText('Saved', { exact: true }).waitFor();

/** Counts commits, and the bytes and documents of each. */
function watchCommits(page) {
  const seen = { commits: 0, documents: 0, bytes: 0 };
  page.on('request', (request) => {
    if (!request.url().includes('documents:commit')) return;
    const body = request.postData() ?? '';
    const cards = (JSON.parse(body).writes ?? []).filter(({ update }) => update?.name.includes('/cards/'));
    if (cards.length === 0) return;
    seen.commits++;
    seen.documents += cards.length;
    seen.bytes += body.length;
  });
  return () => {
    const now = { ...seen };
    seen.commits = seen.documents = seen.bytes = 0;
    return now;
  };
}

/** Frames while an element is scrolled: from end to end in 120 frames, or so many pixels in each. */
function scrollFrames(page, selector, axis, perFrame) {
  return page.evaluate(
    ([query, along, pixels]) =>
      new Promise((resolve) => {
        const element = document.querySelector(query);
        const frames = [];
        let last = performance.now();
        let step = 0;
        const STEPS = 120;
        const most =
          along === 'x'
            ? element.scrollWidth - element.clientWidth
            : element.scrollHeight - element.clientHeight;
        const next = (now) => {
          frames.push(now - last);
          last = now;
          step++;
          if (step > STEPS) {
            resolve(frames.slice(1));
            return;
          }
          element.scrollTo({
            [along === 'x' ? 'left' : 'top']: pixels ? step * pixels : (most * step) / STEPS,
          });
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    [selector, axis, perFrame],
  );
}

const quantile = (values, share) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

async function paste(page, text) {
  return page.evaluate((plain) => {
    const data = new DataTransfer();
    data.setData('text/plain', plain);
    const started = performance.now();
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
    return new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - started)));
    });
  }, text);
}

const server = await startServer();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});
const figures = {};
const note = (name, value, unit) => {
  figures[name] = { value: Math.round(value * 10) / 10, unit };
  console.log(`${name.padEnd(60)} ${String(figures[name].value).padStart(10)} ${unit}`);
};
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  const written = watchCommits(page);
  await signUp(page, server);

  const names = Array.from({ length: COLUMNS }, (_, i) => `c${i}`);
  const body = Array.from({ length: ROWS }, (_, y) => names.map((name) => `${name}-${y}`).join(','));
  const imported = await project(page, server.origin, 'Large', [names.join(','), ...body].join('\n'), ROWS);
  note(`import ${ROWS} x ${COLUMNS}, until the table shows`, imported, 'ms');
  written();
  const opened = performance.now();
  await page.reload();
  await firstRow(page).waitFor();
  note(`open the page again, until the table shows`, performance.now() - opened, 'ms');
  const idle = await page.evaluate(
    (count) =>
      new Promise((resolve) => {
        const frames = [];
        let last = performance.now();
        const next = (now) => {
          frames.push(now - last);
          last = now;
          if (frames.length > count) resolve(frames.slice(1));
          else requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    120,
  );
  note('the same page at rest, frame p95', quantile(idle, 0.95), 'ms');
  const wheel = await scrollFrames(page, '.dsg-container', 'y', HAND_PX);
  note(`scroll the table by hand (${HAND_PX} px a frame), frame p50`, quantile(wheel, 0.5), 'ms');
  note('scroll the table by hand, frame p95', quantile(wheel, 0.95), 'ms');
  const frames = await scrollFrames(page, '.dsg-container', 'y');
  note('scroll the whole table in 2 s, frame p50', quantile(frames, 0.5), 'ms');
  note('scroll the whole table in 2 s, frame p95', quantile(frames, 0.95), 'ms');

  await page.locator('.dsg-container').evaluate((element) => element.scrollTo({ top: 0 }));
  await page.getByText('c0-0', { exact: true }).click();
  written();
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await saved(page);
  const edit = written();
  note('one cell: documents written', edit.documents, '');
  note('one cell: bytes sent', edit.bytes, 'B');

  const block = Array.from({ length: PASTE.rows }, (_, y) =>
    Array.from({ length: PASTE.columns }, (_, x) => `p${x}-${y}`).join('\t'),
  ).join('\r\n');
  note(`paste ${PASTE.rows} x ${PASTE.columns}, until it shows`, await paste(page, block), 'ms');
  const pasted = performance.now();
  await saved(page);
  note('paste, until it is saved', performance.now() - pasted, 'ms');
  const batch = written();
  note('paste: commits', batch.commits, '');
  note('paste: documents written', batch.documents, '');
  note('paste: bytes sent', batch.bytes / 1024, 'KiB');

  const cards = Array.from(
    { length: STRIP },
    (_, y) => `Card ${y},Some words about card ${y} that fill two lines.,${y % 9}`,
  );
  await project(page, server.origin, 'Strip', ['Name,Text,Cost', ...cards].join('\n'), STRIP);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('region', { name: 'Cards', exact: true }).waitFor();
  await page.waitForFunction(() => !document.querySelector('[data-state="waiting"]'));
  const stripFrames = await scrollFrames(page, 'section[aria-label="Cards"]', 'x');
  note(`scroll ${STRIP} cards of the strip, frame p50`, quantile(stripFrames, 0.5), 'ms');
  note(`scroll ${STRIP} cards of the strip, frame p95`, quantile(stripFrames, 0.95), 'ms');
  note(
    `frames later than ${DROPPED_MS} ms, of ${stripFrames.length}`,
    stripFrames.filter((ms) => ms > DROPPED_MS).length,
    '',
  );
} finally {
  await browser.close();
  server.stop();
}
if (options.json) writeFileSync(options.json, JSON.stringify(figures, null, 2));
