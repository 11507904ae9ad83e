// Measures exports in Chromium with the application's own workers: `node bench/export.mjs [--json FILE] [--quick] [--runs N]`.
//   500 cards to PDF; 200 pictures at 300 and 600 dpi as a ZIP; a sheet of 10 x 7 for virtual tables; memory of
//   2,000 cards; and beside them the same deck through the browser's own print to PDF and through protograf, an open
//   maker of cards, where TUCKBOX_PROTOGRAF names a Python that has it.
// The application must be built: `npm run build`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import { harfbuzzWasm } from '../build/harfbuzz.mjs';
import { peerDeck } from './peer.mjs';
import { printPage } from './print-page.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, 'dist');
const quick = process.argv.includes('--quick');
const jsonFlag = process.argv.indexOf('--json');
const jsonFile = jsonFlag === -1 ? undefined : process.argv[jsonFlag + 1];
const SIZES = quick ? { pdf: 50, pictures: 12, memory: 100 } : { pdf: 500, pictures: 200, memory: 2_000 };
const runsFlag = process.argv.indexOf('--runs');
const RUNS = runsFlag === -1 ? (quick ? 1 : 3) : Math.max(1, Number(process.argv[runsFlag + 1]) || 1);
/** Between two looks at the memory. */
const SAMPLE_MS = 100;
const TYPES = {
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.html': 'text/html',
  '.ttf': 'font/ttf',
};

if (!existsSync(path.join(dist, 'index.html'))) {
  console.error('The application is not built: run `npm run build` in client/ first.');
  process.exit(1);
}

async function bundle(entry, extra) {
  const built = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    logLevel: 'warning',
    ...extra,
  });
  return built.outputFiles[0].text;
}

const workers = Object.fromEntries(
  readdirSync(path.join(dist, 'workers'))
    .map((file) => [/^(\w+)-\w+\.js$/.exec(file)?.[1], `/workers/${file}`])
    .filter(([name]) => name),
);
const page = await bundle('bench/export-page.ts', {
  format: 'esm',
  define: { __WORKER_URLS__: JSON.stringify(workers) },
  plugins: [harfbuzzWasm],
  loader: { '.wasm': 'dataurl' },
});
const fixtures = await bundle('bench/fixtures.ts', { format: 'esm', platform: 'node', packages: 'external' });
const fixtureFile = path.join(root, 'node_modules/.cache/tuckbox-bench-fixtures.mjs');
writeFileSync(fixtureFile, fixtures);
const { GALLERY_IMAGES, referenceRows } = await import(fixtureFile);

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://x');
  const send = (type, body) => response.writeHead(200, { 'Content-Type': type }).end(body);
  if (pathname === '/')
    return send(
      'text/html',
      '<!doctype html><title>bench</title><script type="module" src="/bench.js"></script>',
    );
  if (pathname === '/bench.js') return send('text/javascript', page);
  if (pathname === '/print') {
    return send(
      'text/html',
      printPage(referenceRows(SIZES.pdf), (name) => `/images/${name}`),
    );
  }
  const image = GALLERY_IMAGES.get(decodeURIComponent(pathname.slice('/images/'.length)));
  if (pathname.startsWith('/images/') && image) return send('application/octet-stream', image);
  const file = path.join(dist, path.normalize(pathname));
  if (!file.startsWith(dist) || !existsSync(file)) return response.writeHead(404).end();
  send(TYPES[path.extname(file)] ?? 'application/octet-stream', readFileSync(file));
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const origin = `http://127.0.0.1:${server.address().port}`;

// A profile on disk, as people have one: what is written in a private window must fit in memory.
const profile = mkdtempSync(path.join(tmpdir(), 'tuckbox-bench-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

/** Resident memory of the browser's pages, in bytes: workers live in their page's process. */
function pagesMemory() {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,args='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  }).split('\n');
  const all = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line)).filter(Boolean);
  const ours = new Set(
    all.filter(([, , , , args]) => args.includes(`--user-data-dir=${profile}`)).map(([, pid]) => Number(pid)),
  );
  for (let grown = true; grown; ) {
    grown = false;
    for (const [, pid, parent] of all) {
      if (ours.has(Number(parent)) && !ours.has(Number(pid))) {
        ours.add(Number(pid));
        grown = true;
      }
    }
  }
  return Math.max(
    0,
    ...all
      .filter(([, pid, , , args]) => ours.has(Number(pid)) && args.includes('--type=renderer'))
      .map(([, , , rss]) => Number(rss) * 1024),
  );
}

async function open(browser) {
  const tab = await browser.newPage();
  await tab.goto(origin);
  await tab.waitForFunction(() => 'bench' in window);
  await tab.evaluate((names) => window.bench.loadImages(names), [...GALLERY_IMAGES.keys()]);
  await tab.evaluate(() => window.bench.warmUp());
  return tab;
}

async function measure(tab, run, times = RUNS) {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, pagesMemory());
  }, SAMPLE_MS);
  const runs = [];
  try {
    for (let index = 0; index < times; index++) runs.push(await run(tab));
  } finally {
    clearInterval(timer);
  }
  runs.sort((a, b) => a.ms - b.ms);
  return { ...runs[Math.floor(times / 2)], peak };
}

const MB = 1e6;
const MIB = 1 << 20;
const results = [];
const report = (name, { ms, bytes, peak }, cards, goal) =>
  results.push({
    name,
    seconds: Math.round(ms) / 1000,
    'ms/card': Math.round((ms / cards) * 10) / 10,
    MB: Math.round((bytes / MB) * 10) / 10,
    'peak MiB': Math.round(peak / MIB),
    goal,
  });

try {
  let tab = await open(browser);
  report(
    `PDF, ${SIZES.pdf} cards`,
    await measure(tab, (t) => t.evaluate((n) => window.bench.pdf(n), SIZES.pdf)),
    SIZES.pdf,
    '1.5 s, 3 MB',
  );
  for (const [dpi, goal] of [
    [300, '30 ms'],
    [600, '110 ms'],
  ]) {
    const run = (t) => t.evaluate(([n, d]) => window.bench.pictures(n, d), [SIZES.pictures, dpi]);
    report(`PNG ${dpi} dpi, ${SIZES.pictures} cards`, await measure(tab, run), SIZES.pictures, goal);
  }
  report(
    'table sheet, 10 x 7',
    await measure(tab, (t) => t.evaluate(() => window.bench.tableSheet())),
    70,
    '',
  );
  await tab.close();
  // A page of its own: the peak is of this export alone.
  tab = await open(browser);
  report(
    `PDF, ${SIZES.memory} cards`,
    await measure(tab, (t) => t.evaluate((n) => window.bench.pdf(n), SIZES.memory)),
    SIZES.memory,
    '700 MiB',
  );
  await tab.close();
  tab = await browser.newPage();
  await tab.goto(`${origin}/print`);
  await tab.waitForLoadState('networkidle');
  const print = async (t) => {
    const start = performance.now();
    const bytes = (await t.pdf({ preferCSSPageSize: true, printBackground: true })).length;
    return { ms: performance.now() - start, bytes };
  };
  report(`browser's print, ${SIZES.pdf} cards`, await measure(tab, print, 1), SIZES.pdf, '');
  await tab.close();
  const python = process.env.TUCKBOX_PROTOGRAF;
  if (python) {
    try {
      const deck = await peerDeck(python, referenceRows(SIZES.pdf), GALLERY_IMAGES);
      report(`protograf, ${SIZES.pdf} cards`, deck, SIZES.pdf, '');
    } catch (error) {
      // Results measured before the failure are still worth their table.
      console.error(error instanceof Error ? error.message : error);
    }
  } else {
    console.error('protograf is not installed: no open peer was measured.');
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  server.close();
}
console.error(
  'Squib and CardPen are not measured: the one comes from RubyGems alone, the other as no package.',
);
console.table(Object.fromEntries(results.map(({ name, ...rest }) => [name, rest])));
if (jsonFile) {
  writeFileSync(
    jsonFile,
    `${JSON.stringify({ bench: 'export', node: process.version, results }, null, 2)}\n`,
  );
}
