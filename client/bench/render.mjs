// Measures the card scene in Node: `node bench/render.mjs [--json FILE]`.
//   layout of the Starforged cards, layout of a reference card, a PDF of 500 cards; in a browser, the
//   reference card painted, a drag among 200 zones (painted alone, and in the real editor), and 500 thumbnails in workers with the memory they take, beside what the same machine needs for nothing.
// Each figure is the median of RUNS after one run that is thrown away.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { browserResults } from './browser.mjs';
import { editorResults } from './editor.mjs';

const RUNS = 5;
const PDF_CARDS = 500;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const jsonFlag = process.argv.indexOf('--json');
const jsonFile = jsonFlag === -1 ? undefined : process.argv[jsonFlag + 1];

/** The sources are TypeScript: bundled once, dependencies left where they are. */
async function loadScene() {
  const outfile = path.join(root, 'node_modules/.cache/tuckbox-bench/scene.mjs');
  mkdirSync(path.dirname(outfile), { recursive: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['bench/scene.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['*/scripts/fonts.mjs'],
    alias: {},
    logLevel: 'warning',
    plugins: [
      {
        name: 'fonts-by-path',
        setup(build) {
          const fonts = pathToFileURL(path.join(root, 'scripts/fonts.mjs')).href;
          build.onResolve({ filter: /scripts\/fonts\.mjs$/ }, () => ({ path: fonts, external: true }));
        },
      },
    ],
  });
  return import(pathToFileURL(outfile).href);
}

async function median(work) {
  await work();
  const times = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)];
}

const scene = await loadScene();
const results = [];
for (const { name, unit, count, prepare } of scene.benchmarks(PDF_CARDS)) {
  const { work, size } = await prepare();
  const value = (await median(work)) / count;
  results.push({
    name,
    value: Math.round(value * 1000) / 1000,
    unit,
    ...(size ? { megabytes: Math.round(size() / 1e4) / 100 } : {}),
  });
}
results.push(...(await browserResults(scene)));
results.push(...(await editorResults()));
results.push({ name: 'peak memory', value: Math.round(process.resourceUsage().maxRSS / 1024), unit: 'MB' });

const width = Math.max(...results.map(({ name }) => name.length));
for (const { name, value, unit, megabytes, p95 } of results) {
  const size = megabytes === undefined ? '' : `  ${megabytes} MB`;
  const slow = p95 === undefined ? '' : `  (95 %: ${p95})`;
  console.log(`${name.padEnd(width)}  ${String(value).padStart(9)} ${unit}${size}${slow}`);
}
if (jsonFile)
  writeFileSync(
    jsonFile,
    `${JSON.stringify({ bench: 'render', node: process.version, results }, null, 2)}\n`,
  );
