import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as esbuild from 'esbuild';

/** Wasm that the bundle looks for beside itself. */
const WASM = ['harfbuzzjs/dist/harfbuzz.wasm', 'harfbuzzjs/dist/harfbuzz-subset.wasm'];

/** Builds what runs in Node without a browser: `dist/headless/export-deck.mjs`, with its wasm. */
export async function buildHeadless({ root, outDir, watch }) {
  const folder = path.join(root, outDir, 'headless');
  mkdirSync(folder, { recursive: true });
  const require = createRequire(path.join(root, 'package.json'));
  for (const file of WASM) copyFileSync(require.resolve(file), path.join(folder, path.basename(file)));
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [path.join(root, 'src/headless/export-deck.ts')],
    outfile: path.join(folder, 'export-deck.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: !watch,
    legalComments: 'none',
    logLevel: 'warning',
    // Packages of the old kind ask for `require`, which modules do not have.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
}
