// Measures the first paint of Home beside that of an empty page of the same server, in Chromium:
//   `node bench/first-paint.mjs [--json FILE]`. Of several loads with an empty cache the best counts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchChromium } from '../../suites/shared/chromium.mjs';
import { startTuckbox } from '../../suites/shared/program.mjs';

const LOADS = 5;
const EMPTY = '<!doctype html><title>Empty</title><p>Nothing</p>';
const jsonFlag = process.argv.indexOf('--json');
const jsonFile = jsonFlag === -1 ? undefined : process.argv[jsonFlag + 1];

const folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-bench-'));
writeFileSync(path.join(folder, 'firebase.json'), '{}');
const server = await startTuckbox(
  ['serve', '--data', folder, '--host', '127.0.0.1', '--port', '0', '--project', 'demo', '--mode', 'serving'],
  { cwd: folder },
);
const browser = await launchChromium();

/** Milliseconds from the start of loading to the first paint. */
const firstPaint = (page) =>
  page.evaluate(
    () =>
      new Promise((found) => {
        const observer = new PerformanceObserver((list) => {
          const [entry] = list.getEntriesByName('first-contentful-paint');
          if (entry) found(entry.startTime);
        });
        observer.observe({ type: 'paint', buffered: true });
      }),
  );

async function best(url, html) {
  const times = [];
  for (let load = 0; load < LOADS; load++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    if (html) await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: html }));
    await page.goto(url);
    times.push(await firstPaint(page));
    await context.close();
  }
  return Math.round(Math.min(...times));
}

try {
  const empty = await best(`${server.origin}/empty`, EMPTY);
  const home = await best(`${server.origin}/`);
  const results = [
    { name: 'first paint, empty page', value: empty, unit: 'ms' },
    { name: 'first paint, Home', value: home, unit: 'ms' },
  ];
  for (const { name, value, unit } of results)
    console.log(`${name.padEnd(24)} ${String(value).padStart(6)} ${unit}`);
  if (jsonFile) writeFileSync(jsonFile, `${JSON.stringify({ results }, null, 2)}\n`);
} finally {
  await browser.close();
  await server.stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
