// From a key on one screen to a moved piece on another: two people at a sample table in Chromium, and the bytes that the
// page takes more than Home, and than a page without anything. `node bench/table-screens.mjs [--json FILE] [--moves 150]`
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launchChromium } from '../../suites/shared/chromium.mjs';
import { report, timesRow } from './harness.mjs';
import { startServer } from './server.mjs';

const { values: options } = parseArgs({
  options: { json: { type: 'string' }, moves: { type: 'string', default: '150' } },
});
const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const PROJECT = 'demo-tuckbox';
/** A page of the application that draws nothing. */
const SHELL = '/no-such-page';
/** Moves before those that count: the browser compiles the code. */
const WARM_UP = 20;
/** Longest time for a move to be shown, in milliseconds. */
const LONGEST_MS = 5_000;

/** Runs in a page before its own scripts: notes keys, messages of the table, and the ends of frames that paint it. */
function watch() {
  const now = () => performance.timeOrigin + performance.now();
  const bench = { keyAt: 0, shown: undefined, hasKey: false, hasPatch: false, waitsFor: 'hasKey' };
  globalThis.bench = bench;
  addEventListener(
    'keydown',
    (event) => {
      bench.keyAt = performance.timeOrigin + event.timeStamp;
      bench.hasKey = true;
    },
    { capture: true },
  );
  const Socket = globalThis.WebSocket;
  globalThis.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        if (typeof data === 'string' && data.includes('"put"')) bench.hasPatch = true;
      });
    }
  };
  const proto = CanvasRenderingContext2D.prototype;
  const { drawImage } = proto;
  const { port1, port2 } = new MessageChannel();
  let ends = false;
  // Handled after the frame in whose script it was sent.
  port2.onmessage = () => {
    ends = false;
    const shown = bench.shown;
    if (!shown || !bench.due?.()) return;
    bench.shown = undefined;
    shown(now());
  };
  proto.drawImage = function draw(...given) {
    if (!ends && this.canvas instanceof HTMLCanvasElement && this.canvas.closest('[role=application]')) {
      bench.due = bench[bench.waitsFor] ? () => true : undefined;
      ends = true;
      port1.postMessage(undefined);
    }
    return drawImage.apply(this, given);
  };
  bench.until = (what) =>
    new Promise((done) => {
      bench[what] = false;
      bench.waitsFor = what;
      bench.shown = done;
    });
}

/** Somebody at the table, with the pieces in view. */
async function seat(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(url);
  await page.getByRole('application', { name: 'Table' }).waitFor();
  await page.waitForLoadState('networkidle');
  return page;
}

/** Compressed bytes of the scripts and styles that a page asks for. */
async function weight(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const asked = new Set();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\.(js|mjs|css)$/.test(pathname)) asked.add(pathname);
  });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  await context.close();
  const size = (name) => {
    const file = path.join(DIST, name);
    if (existsSync(`${file}.br`)) return statSync(`${file}.br`).size;
    return existsSync(file) ? statSync(file).size : 0;
  };
  return new Map([...asked].map((name) => [name, size(name)]));
}

const within = (promise) =>
  Promise.race([
    promise,
    new Promise((_, failed) => {
      setTimeout(() => failed(new Error(`no frame within ${LONGEST_MS} ms`)), LONGEST_MS).unref();
    }),
  ]);

const server = await startServer();
const browser = await launchChromium();
try {
  const reply = await fetch(`${server.origin}/us-central1-${PROJECT}/openSampleTable`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: {} }),
  });
  const { result, error } = await reply.json();
  if (error) throw new Error(error.message);
  const url = `${server.origin}/playtesting/sample/${result.table}`;
  const [mine, other] = [await seat(browser, url), await seat(browser, url)];
  await mine
    .getByRole('treeitem', { name: /pieces/ })
    .first()
    .click();
  const felt = mine.getByRole('application', { name: 'Table' });
  await felt.focus();
  const [own, across] = [[], []];
  for (let move = 0; move < WARM_UP + Number(options.moves); move++) {
    const shown = [
      mine.evaluate(() => globalThis.bench.until('hasKey')),
      other.evaluate(() => globalThis.bench.until('hasPatch')),
    ];
    // Both wait by then, and the key comes at any moment of a frame.
    await Promise.all([mine, other].map((page) => page.evaluate(() => 0)));
    await new Promise((done) => setTimeout(done, 40 + 17 * Math.random()));
    await mine.keyboard.press(move % 2 === 0 ? 'Alt+ArrowRight' : 'Alt+ArrowLeft');
    const [here, there] = await Promise.all(shown.map(within));
    const at = await mine.evaluate(() => globalThis.bench.keyAt);
    if (move < WARM_UP) continue;
    own.push(here - at);
    across.push(there - at);
  }
  const shell = await weight(browser, `${server.origin}${SHELL}`);
  const home = await weight(browser, `${server.origin}/`);
  const table = await weight(browser, url);
  const kilobytesOver = (page, isCounted) => {
    const more = [...table].filter((one) => !page.has(one[0]) && isCounted(one));
    return Number((more.reduce((sum, [, size]) => sum + size, 0) / 1_000).toFixed(1));
  };
  const isWorker = ([name]) => name.startsWith('/workers/');
  report('table-screens', [
    timesRow('a key to the own screen', own),
    timesRow('a key to the other screen', across),
    { name: 'page over Home, br', value: kilobytesOver(home, (one) => !isWorker(one)), unit: 'kB' },
    { name: 'page over an empty one, br', value: kilobytesOver(shell, (one) => !isWorker(one)), unit: 'kB' },
    { name: 'workers that draw cards, br', value: kilobytesOver(shell, isWorker), unit: 'kB' },
  ]);
} finally {
  await browser.close();
  await server.stop('SIGTERM');
}
process.exit(0);
