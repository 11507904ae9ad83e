import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as esbuild from 'esbuild';

/** Wasm that the bundle looks for beside itself. */
const WASM = ['harfbuzzjs/dist/harfbuzz.wasm', 'harfbuzzjs/dist/harfbuzz-subset.wasm'];

/** Puts the canvas of this kind of machine beside the bundle. Without it the program makes PDFs alone. */
function copySkia(folder, require) {
  const library = skiaOf(require);
  if (library) copyFileSync(library, path.join(folder, 'skia.node'));
  else console.warn('No canvas for this kind of machine: `tuckbox export-deck` will make PDF alone.');
}

function skiaOf(require) {
  const libc = process.report.getReport().header.glibcVersionRuntime ? 'gnu' : 'musl';
  const { platform, arch } = process;
  const kinds = { linux: `linux-${arch}-${libc}`, darwin: `darwin-${arch}`, win32: `win32-${arch}-msvc` };
  try {
    return require.resolve(`@napi-rs/canvas-${kinds[platform]}/skia.${kinds[platform]}.node`);
  } catch {
    return undefined;
  }
}

/**
 * Builds what runs in Node without a browser: `export-deck.mjs` and `pack-cards.mjs` in `dist/headless`, with their wasm.
 * @returns {Promise<import('esbuild').BuildResult<{metafile: true}>>}
 */
export async function buildHeadless({ root, outDir, watch }) {
  const folder = path.join(root, outDir, 'headless');
  mkdirSync(folder, { recursive: true });
  const require = createRequire(path.join(root, 'package.json'));
  copySkia(folder, require);
  for (const file of WASM) copyFileSync(require.resolve(file), path.join(folder, path.basename(file)));
  return await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['export-deck', 'pack-cards'].map((name) => path.join(root, `src/headless/${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: !watch,
    // Skia lies beside the bundle; these are other ways to find it.
    external: ['*.node', '@napi-rs/canvas-*'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    // Packages of the old kind ask for `require`, which modules do not have.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
}
