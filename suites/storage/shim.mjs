// The client's own stand-in for firebase/storage, bundled as the application bundles it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

import { BUCKET, PROJECT, unsignedToken } from './common.mjs';

/** The shim and a way to open it for a user. */
export async function loadShim() {
  const folder = await mkdtemp(join(tmpdir(), 'storage-shim-'));
  const outfile = join(folder, 'shim.mjs');
  await build({
    stdin: {
      contents: "export * from './storage.ts'; export { createCore } from './internal/app-core.ts';",
      resolveDir: fileURLToPath(new URL('../../client/src/sdk', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'error',
  });
  const sdk = await import(pathToFileURL(outfile).href);
  await rm(folder, { recursive: true });
  return { sdk, storageOf: (origin, uid) => open(sdk, origin, uid) };
}

function open(sdk, origin, uid) {
  const platform = {
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    setTimer(callback, ms) {
      const id = setTimeout(callback, ms);
      return () => clearTimeout(id);
    },
    random: () => 0,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    onOnline: () => () => undefined,
    origin,
  };
  const core = sdk.createCore({ projectId: PROJECT, storageBucket: BUCKET }, `shim-${uid}`, platform);
  if (uid) core.authTokens = { getToken: async () => unsignedToken(uid), onChange: () => () => undefined };
  return sdk.getStorage(core.app);
}
