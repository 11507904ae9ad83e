import type { ExportTarget } from '../../../workers/export-protocol.ts';
import { EXPORTS_FOLDER } from '../../../workers/export-target.ts';

/**
 * Exports lie in the site's own storage until the page that made them goes. Each is held by a lock
 * of its name for as long; what nobody holds is of a page that is gone, and is removed.
 */

const lockName = (name: string): string => `tuckbox-export-${name}`;

/** A file for an export of this page. */
export async function holdExport(): Promise<ExportTarget> {
  const name = crypto.randomUUID();
  await new Promise<void>((held) => {
    // Never let go: the browser does when the page goes.
    void navigator.locks.request(lockName(name), () => {
      held();
      return new Promise<never>(() => undefined);
    });
  });
  return { kind: 'site', name };
}

/** Removes what pages that are gone left. */
export async function forgetOldExports(): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(EXPORTS_FOLDER, { create: true });
    const names: string[] = [];
    for await (const name of keysOf(folder)) names.push(name);
    for (const name of names) {
      await navigator.locks.request(lockName(name), { ifAvailable: true }, async (lock) => {
        if (lock) await folder.removeEntry(name);
      });
    }
  } catch (error) {
    // Storage is tidied another time.
    console.warn('Old exports could not be removed.', error);
  }
}

function keysOf(folder: FileSystemDirectoryHandle): AsyncIterable<string> {
  return (folder as FileSystemDirectoryHandle & { keys(): AsyncIterable<string> }).keys();
}
