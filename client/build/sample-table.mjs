import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const SOURCE = `
import { packSample } from './src/headless/packing/sample-table.ts';
import { driftglass } from './src/app/pages/projects/sample/driftglass.ts';
export const table = await packSample(driftglass());
`;

/**
 * Packs the sample game into `sample-table.json`, from which the server opens tables for visitors. Runs after the programs
 * without a browser are built, whose wasm it needs.
 */
export async function writeSampleTable({ root, dist }) {
  const program = path.join(dist, 'headless/sample-table.mjs');
  await esbuild.build({
    stdin: { contents: SOURCE, resolveDir: root, loader: 'ts' },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const { table } = await import(pathToFileURL(program).href);
  rmSync(program);
  writeFileSync(path.join(dist, 'sample-table.json'), JSON.stringify(table));
}
