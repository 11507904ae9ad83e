import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

/** Wasm that the bundle looks for beside itself. */
const WASM = ['harfbuzzjs/dist/harfbuzz.wasm', 'harfbuzzjs/dist/harfbuzz-subset.wasm'];

/**
 * Puts the canvas of this kind of machine beside the bundle, packed. Packing takes seconds, so what was packed is
 * kept. Without it the program makes PDFs alone.
 */
function packSkia(root, folder, require) {
  const { version } = require('@napi-rs/canvas/package.json');
  const library = skiaOf(require);
  if (!library) {
    console.warn('No canvas for this kind of machine: `tuckbox export-deck` will make PDF alone.');
    return;
  }
  const cache = path.join(root, 'node_modules/.cache');
  const kept = path.join(cache, `skia-${version}-${path.basename(library)}.gz`);
  if (!existsSync(kept)) {
    const bytes = readFileSync(library);
    const packed = gzipSync(bytes, { level: 9 });
    mkdirSync(cache, { recursive: true });
    // Whole or not at all: another build may look for it.
    const unfinished = `${kept}.${process.pid}`;
    writeFileSync(unfinished, packed);
    renameSync(unfinished, kept);
  }
  copyFileSync(kept, path.join(folder, 'skia.node.packed'));
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
  packSkia(root, folder, require);
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
    // Skia is packed beside the bundle; these are other ways to find it.
    external: ['*.node', '@napi-rs/canvas-*'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    // Packages of the old kind ask for `require`, which modules do not have.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
}
