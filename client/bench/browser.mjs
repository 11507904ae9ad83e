// Measures painting in a browser: bench/page.ts, run by `node bench/render.mjs`.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import { harfbuzzWasm } from '../build/harfbuzz.mjs';
import { readFace } from '../scripts/fonts.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const HTML = '<!doctype html><title>bench</title><script type="module" src="/bench.js"></script>';

const base64 = (bytes) => (bytes ? Buffer.from(bytes).toString('base64') : null);

async function bundle(entry, define = {}) {
  const built = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    write: false,
    define,
    plugins: [harfbuzzWasm],
    loader: { '.wasm': 'dataurl' },
    logLevel: 'warning',
  });
  return built.outputFiles[0].text;
}

/** Serves the page, the worker that paints, and the fonts it asks for. */
async function serve(scripts) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://x');
    const script = scripts[pathname];
    if (pathname === '/') response.writeHead(200, { 'Content-Type': 'text/html' }).end(HTML);
    else if (script) response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
    else if (pathname.startsWith('/fonts/')) {
      const bytes = await readFace({ file: decodeURIComponent(pathname.slice('/fonts/'.length)) });
      response.writeHead(200, { 'Content-Type': 'font/ttf' }).end(bytes);
    } else response.writeHead(404).end();
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return server;
}

/** Resident memory of the page's process, workers included, in megabytes. */
function memoryOf(pid) {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,args='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const all = lines
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter(Boolean);
  const ours = new Set([pid]);
  for (let grown = true; grown; ) {
    const before = ours.size;
    for (const [, child, parent] of all) if (ours.has(Number(parent))) ours.add(Number(child));
    grown = ours.size > before;
  }
  const pages = all.filter(
    ([, child, , , args]) => ours.has(Number(child)) && args.includes('--type=renderer'),
  );
  return Math.round(Math.max(0, ...pages.map(([, , , rss]) => Number(rss))) / 1024);
}

/**
 * @param scene the bundled `bench/scene.ts`, for its pictures and faces
 * @param entry the page's script
 */
export async function browserResults(scene, entry = 'bench/page.ts') {
  if (!existsSync(CHROMIUM)) {
    console.warn(`PAINTING NOT MEASURED: ${CHROMIUM} is missing.`);
    return [];
  }
  const server = await serve({
    '/bench.js': await bundle(entry, { __WORKER_URLS__: '{"render":"/render.js"}' }),
    '/render.js': await bundle('src/workers/painting/render.worker.ts'),
  });
  const chrome = await chromium.launchServer({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const browser = await chromium.connect(chrome.wsEndpoint());
    const page = await browser.newPage();
    await page.exposeFunction('readBase64', async (kind, name) => {
      if (kind === 'image') return base64(scene.pictures.get(name));
      const face = scene.findFace(name);
      return face ? base64(await readFace(face)) : null;
    });
    await page.exposeFunction('memory', () => memoryOf(chrome.process().pid));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => 'bench' in window);
    const results = await page.evaluate((names) => window.bench(names), [...scene.pictures.keys()]);
    await browser.close();
    return Object.entries(results).map(([name, { p50, p95, unit }]) => ({ name, value: p50, unit, p95 }));
  } finally {
    await chrome.close();
    server.close();
  }
}
