/** The application's own shim, bundled for Node: REST, and a streaming `:listen`. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { common } from './modular.mjs';

let apps = 0;

/** The shim's platform, otherwise a browser's. Its waits are divided by `haste`. */
const platform = (origin, memoryStore, haste) => ({
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  setTimer(callback, ms) {
    const id = setTimeout(callback, ms / haste);
    return () => clearTimeout(id);
  },
  random: () => Math.random(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  storage: memoryStore(),
  onOnline: () => () => {},
  origin,
});

/** The shim, bundled; `openShim` opens a database of it. */
export async function loadShim() {
  const folder = mkdtempSync(join(tmpdir(), 'shim-'));
  const src = resolve(import.meta.dirname, '../../../client/src/sdk');
  const outfile = join(folder, 'shim.mjs');
  const contents = `
    export * from '${src}/firestore.ts';
    export { createCore } from '${src}/internal/app-core.ts';
    export { memoryStore } from '${src}/internal/platform.ts';`;
  await build({
    stdin: { contents, resolveDir: src, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'error',
  });
  const shim = await import(pathToFileURL(outfile));
  rmSync(folder, { recursive: true, force: true });
  return shim;
}

/** A database of the shim's at `host:port`, in an application of its own. */
export function openShim(sdk, { name, host, port, projectId, haste = 1, token, database }) {
  const origin = `http://${host}:${port}`;
  const core = sdk.createCore({ projectId }, `${name}-${++apps}`, platform(origin, sdk.memoryStore, haste));
  if (token) core.authTokens = { getToken: async () => token, onChange: () => () => {} };
  return sdk.getFirestore(core.app, database);
}

export async function shimDriver({ name, host, port }) {
  const sdk = await loadShim();
  const open = (at = { host, port }, as = {}) =>
    make(name, sdk, openShim(sdk, { name, ...at, ...as, projectId: 'demo-suite' }), open);
  return open();
}

function make(name, sdk, db, another) {
  const base = common(sdk, db);
  const stops = new Set();
  return {
    ...base,
    name,
    can: new Set(['listen', 'metadata', 'optimistic']),
    another,
    listen(spec, events) {
      const target = spec.doc ? sdk.doc(db, spec.doc) : base.build(spec);
      const next = (found) => events.push(spec.doc ? base.oneEvent(found) : base.manyEvent(found));
      const stop = sdk.onSnapshot(target, next, (error) => events.fail(error));
      stops.add(stop);
      return stop;
    },
    close: () => {
      for (const stop of stops) stop();
    },
  };
}
