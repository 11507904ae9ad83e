import { readdirSync } from 'node:fs';
import path from 'node:path';
import { directImports } from './barrels.mjs';
import { entryInOneChunk } from './entry-chunk.mjs';
import { frozenColumns } from './frozen-columns.mjs';
import { harfbuzzWasm } from './harfbuzz.mjs';

/** Files esbuild copies beside the code and imports as URLs, and documents that it imports as text. */
const FILE_LOADERS = {
  '.md': 'text',
  '.wasm': 'file',
  '.woff2': 'file',
  '.woff': 'file',
  '.ttf': 'file',
  '.otf': 'file',
  '.svg': 'file',
  '.png': 'file',
  '.jpg': 'file',
};

/** Shim module -> what takes its place with `--sdk=official`. */
const OFFICIAL_SDK = {
  '@sdk/app': 'firebase/app',
  '@sdk/auth': 'firebase/auth',
  '@sdk/firestore': 'firebase/firestore',
  '@sdk/functions': 'firebase/functions',
  '@sdk/storage': 'firebase/storage',
};

/** Shim modules for what Firebase does not have; `src/sdk/official` has the like of them. */
const BEYOND_FIREBASE = ['connection', 'local-database', 'own-account'];

const beyondFirebase = (root) =>
  Object.fromEntries(
    BEYOND_FIREBASE.map((name) => [`@sdk/${name}`, path.join(root, `src/sdk/official/${name}.ts`)]),
  );

/** Options common to every bundle; `entry` is the module that starts a page with lazy parts. */
function common({ root, outDir, watch, official }, entry) {
  const finish = entry && entryInOneChunk(root, entry);
  return {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: ['chrome120'],
    outdir: path.join(root, outDir),
    publicPath: '/',
    loader: FILE_LOADERS,
    plugins: [
      harfbuzzWasm,
      frozenColumns,
      directImports(root, official ? Object.keys(OFFICIAL_SDK) : [], finish),
    ],
    minify: !watch,
    sourcemap: watch ? 'linked' : false,
    metafile: true,
    logLevel: 'warning',
    legalComments: 'none',
    chunkNames: 'chunks/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    alias: official ? { ...OFFICIAL_SDK, ...beyondFirebase(root) } : {},
    define: {
      'process.env.NODE_ENV': watch ? '"development"' : '"production"',
      __OFFICIAL_SDK__: String(official),
    },
  };
}

/**
 * Workers are entries of their own (esbuild does not follow `new Worker(new URL(…))`).
 * Every `NAME.worker.ts` below `src/workers` becomes `__WORKER_URLS__.NAME` in the application.
 */
export function workerBundle(options) {
  const dir = path.join(options.root, 'src/workers');
  const entries = {};
  let files = [];
  try {
    files = readdirSync(dir, { recursive: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  for (const file of files) {
    const name = /^(.+)\.worker\.ts$/.exec(path.basename(file))?.[1];
    if (name) entries[`workers/${name}`] = path.join(dir, file);
  }
  const base = common(options);
  return {
    ...base,
    entryPoints: entries,
    splitting: true,
    chunkNames: 'workers/chunks/[name]-[hash]',
    entryNames: options.watch ? '[dir]/[name]' : '[dir]/[name]-[hash]',
  };
}

/** The entries of the pages: a bundle each, whose lazy parts are split off. */
export const PAGE_ENTRIES = { app: 'src/app/main.tsx', console: 'src/console/main.tsx' };

/** The bundle of a page, by its name in `PAGE_ENTRIES`. */
export function pageBundle(options, name, workerUrls, version) {
  const entry = path.join(options.root, PAGE_ENTRIES[name]);
  const base = common(options, entry);
  return {
    ...base,
    entryPoints: { [name]: entry },
    splitting: true,
    jsx: 'automatic',
    entryNames: options.watch ? '[name]' : '[name]-[hash]',
    define: {
      ...base.define,
      __WORKER_URLS__: JSON.stringify(workerUrls),
      __APP_VERSION__: JSON.stringify(version),
    },
  };
}

/** A few lines that run before first paint (theme), as a classic script. */
export function bootBundle(options) {
  return {
    ...common(options),
    format: 'iife',
    entryPoints: { boot: path.join(options.root, 'src/app/boot.ts') },
    entryNames: options.watch ? '[name]' : '[name]-[hash]',
  };
}

/**
 * Output file of each entry point of a finished build.
 * @returns {Map<string, {js: string, css: string | undefined}>} keyed by source path, values relative to the outdir
 */
export function entryOutputs(result, root, outDir) {
  const found = new Map();
  for (const [file, output] of Object.entries(result.metafile.outputs)) {
    if (!output.entryPoint) continue;
    const relative = (name) => path.relative(path.join(root, outDir), path.join(root, name));
    found.set(output.entryPoint, {
      js: relative(file),
      css: output.cssBundle ? relative(output.cssBundle) : undefined,
    });
  }
  return found;
}
