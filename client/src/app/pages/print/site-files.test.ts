import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EXPORTS_FOLDER } from '../../../workers/export/export-target.ts';

/** The site's storage and locks, as far as exports use them. */
function browser() {
  const files = new Set<string>();
  const locked = new Set<string>();
  const folder = {
    removeEntry: async (name: string) => {
      if (!files.delete(name)) throw new DOMException('There is none.', 'NotFoundError');
    },
    keys: async function* () {
      yield* [...files];
    },
  };
  const root = { getDirectoryHandle: async (name: string) => name === EXPORTS_FOLDER && folder };
  type Work = (lock: object | null) => Promise<unknown>;
  const request = async (name: string, options: Work | { ifAvailable: boolean }, work?: Work) => {
    if (typeof options !== 'function') return await work?.(locked.has(name) ? null : {});
    locked.add(name);
    await options({});
    locked.delete(name);
    return undefined;
  };
  vi.stubGlobal('navigator', { locks: { request }, storage: { getDirectory: async () => root } });
  return { files, locked };
}

let site: ReturnType<typeof browser>;
let exports: typeof import('./site-files.ts');
beforeEach(async () => {
  site = browser();
  vi.resetModules();
  exports = await import('./site-files.ts');
});
afterEach(() => vi.unstubAllGlobals());

async function exported(): Promise<string> {
  const target = await exports.holdExport();
  if (target.kind !== 'site') throw new Error('It lies elsewhere.');
  site.files.add(target.name);
  return target.name;
}

it('keeps the newest exports of a page, however many are made', async () => {
  const names: string[] = [];
  for (let made = 0; made < 21; made++) names.push(await exported());
  expect([...site.files]).toEqual(names.slice(-2));
  expect(site.locked.size).toBe(2);
});

it('removes what pages that are gone left, and nothing of this one', async () => {
  site.files.add('left');
  const own = await exported();
  await exports.forgetOldExports();
  expect([...site.files]).toEqual([own]);
});

it('minds no export that was never written', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  for (let made = 0; made < 4; made++) await exports.holdExport();
  expect(warn).not.toHaveBeenCalled();
});
