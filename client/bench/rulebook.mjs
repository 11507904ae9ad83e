// Measures the flow of a rulebook of 29,000 words in Node: `node bench/rulebook.mjs [--json FILE]`.
//   the first time, again after a letter anywhere, and its PDF.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const LETTERS = 40;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const jsonFlag = process.argv.indexOf('--json');
const jsonFile = jsonFlag === -1 ? undefined : process.argv[jsonFlag + 1];

const outfile = path.join(root, 'node_modules/.cache/tuckbox-bench/rulebook.mjs');
mkdirSync(path.dirname(outfile), { recursive: true });
const fonts = pathToFileURL(path.join(root, 'scripts/fonts.mjs')).href;
await esbuild.build({
  absWorkingDir: root,
  entryPoints: ['bench/rulebook.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
  plugins: [
    {
      name: 'fonts-by-path',
      setup: (build) =>
        build.onResolve({ filter: /scripts\/fonts\.mjs$/ }, () => ({ path: fonts, external: true })),
    },
    {
      name: 'hyphenation-by-file',
      setup: (build) =>
        build.onResolve({ filter: /^hyphen\/[\w-]+$/ }, ({ path: name }) => ({
          path: `${name}/index.js`,
          external: true,
        })),
    },
  ],
});
const { rulebookBench } = await import(pathToFileURL(outfile).href);

const rounded = (value) => Math.round(value * 10) / 10;
async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

const bench = await rulebookBench();
const [cold, flowed] = await timed(bench.cold);
const times = [];
for (const work of bench.typing(LETTERS)) times.push((await timed(work))[0]);
times.sort((a, b) => a - b);
const [pdf, bytes] = await timed(() => bench.pdf(flowed));
const results = [
  { name: 'words', value: bench.words, unit: '' },
  { name: 'pages', value: flowed.pages.length, unit: '' },
  { name: 'passes', value: flowed.passes, unit: '' },
  { name: 'flow, the first time', value: rounded(cold), unit: 'ms' },
  { name: 'flow after a letter, median', value: rounded(times[LETTERS / 2]), unit: 'ms' },
  { name: 'flow after a letter, 95 %', value: rounded(times[Math.floor(LETTERS * 0.95)]), unit: 'ms' },
  { name: 'PDF', value: rounded(pdf), unit: 'ms' },
  { name: 'PDF, size', value: rounded(bytes.length / 1e6), unit: 'MB' },
];
const width = Math.max(...results.map(({ name }) => name.length));
for (const { name, value, unit } of results)
  console.log(`${name.padEnd(width)}  ${String(value).padStart(9)} ${unit}`);
if (jsonFile) writeFileSync(jsonFile, `${JSON.stringify({ results }, null, 2)}\n`);
