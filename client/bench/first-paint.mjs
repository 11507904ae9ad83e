// Measures the first paint of Home beside that of an empty page of the same server, in Chromium:
//   `node bench/first-paint.mjs [--json FILE]`. Of several loads with an empty cache the best counts.
import { launchChromium } from '../../suites/shared/chromium.mjs';
import { report } from './harness.mjs';
import { startServer } from './server.mjs';

const LOADS = 5;
const EMPTY = '<!doctype html><title>Empty</title><p>Nothing</p>';

const server = await startServer();
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
  report('first-paint', [
    { name: 'first paint, empty page', value: empty, unit: 'ms' },
    { name: 'first paint, Home', value: home, unit: 'ms' },
  ]);
} finally {
  await browser.close();
  await server.stop('SIGTERM');
}
