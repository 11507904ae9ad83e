// Parts that several benchmarks share: sources bundled for Node, and their figures as a table and as JSON.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The exports of a TypeScript file of this folder: bundled once, dependencies left where they are. */
export async function loadSource(name) {
  const outfile = path.join(root, `node_modules/.cache/tuckbox-bench/${name}.mjs`);
  mkdirSync(path.dirname(outfile), { recursive: true });
  const fonts = pathToFileURL(path.join(root, 'scripts/fonts.mjs')).href;
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [`bench/${name}.ts`],
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
        // Node imports no folders.
        name: 'hyphenation-by-file',
        setup: (build) =>
          build.onResolve({ filter: /^hyphen\/[\w-]+$/ }, (asked) => ({
            path: `${asked.path}/index.js`,
            external: true,
          })),
      },
    ],
  });
  return import(pathToFileURL(outfile).href);
}

/** A row for `report` of how long something took again and again: the median, and the time that 95 % keep. */
export function timesRow(name, times, digits = 1) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(digits));
  return { name, value: at(0.5), unit: 'ms', p95: at(0.95) };
}

/** Milliseconds of script that a page has run so far, and of all work of its main thread. */
export async function clock(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name) => 1000 * (metrics.find((one) => one.name === name)?.value ?? 0);
  return { script: of('ScriptDuration'), task: of('TaskDuration') };
}

/** Prints figures, and writes them to the file after `--json`. Each: `{name, value, unit, megabytes?, p95?}`. */
export function report(bench, results) {
  const width = Math.max(...results.map(({ name }) => name.length));
  for (const { name, value, unit, megabytes, p95 } of results) {
    const size = megabytes === undefined ? '' : `  ${megabytes} MB`;
    const slow = p95 === undefined ? '' : `  (95 %: ${p95})`;
    console.log(`${name.padEnd(width)}  ${String(value).padStart(9)} ${unit}${size}${slow}`);
  }
  const flag = process.argv.indexOf('--json');
  const file = flag === -1 ? undefined : process.argv[flag + 1];
  if (file) writeFileSync(file, `${JSON.stringify({ bench, node: process.version, results }, null, 2)}\n`);
}
