import { ifReleased } from '../../../data/window-lock.ts';
import type { ExportTarget } from '../../../workers/export/export-protocol.ts';
import { EXPORTS_FOLDER } from '../../../workers/export/export-target.ts';

/**
 * Exports lie in the site's own storage: the newest of a page until the page goes. Each is held by a lock of its name for
 * as long; what nobody holds is of a page that is gone, and is removed.
 */

const lockName = (name: string): string => `tuckbox-export-${name}`;

/** Exports of a page that are kept. The one before the newest may still be on its way to the disk. */
const KEPT = 2;

/** Exports of this page, the oldest first, and the ends of their locks. */
const held: { readonly name: string; readonly letGo: () => void }[] = [];

/** A file for an export of this page. Older ones than the last are removed. */
export async function holdExport(): Promise<ExportTarget> {
  for (const { name, letGo } of held.splice(0, Math.max(0, held.length - KEPT + 1))) {
    letGo();
    await removeExport(name);
  }
  const name = crypto.randomUUID();
  await new Promise<void>((isHeld) => {
    // At the latest, the browser lets go when the page goes.
    void navigator.locks.request(
      lockName(name),
      () =>
        new Promise<void>((letGo) => {
          held.push({ name, letGo });
          isHeld();
        }),
    );
  });
  return { kind: 'site', name };
}

async function removeExport(name: string): Promise<void> {
  try {
    await (await exportsFolder()).removeEntry(name);
  } catch (error) {
    // One that was never written is no trouble; one that is in use is removed when the page is gone.
    if (!(error instanceof DOMException && error.name === 'NotFoundError'))
      console.warn('An old export could not be removed.', error);
  }
}

async function exportsFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return await root.getDirectoryHandle(EXPORTS_FOLDER, { create: true });
}

/** Removes what pages that are gone left. */
export async function forgetOldExports(): Promise<void> {
  try {
    const folder = await exportsFolder();
    const names: string[] = [];
    for await (const name of keysOf(folder)) names.push(name);
    for (const name of names) {
      await ifReleased(lockName(name), () => folder.removeEntry(name));
    }
  } catch (error) {
    // Storage is tidied another time.
    console.warn('Old exports could not be removed.', error);
  }
}

function keysOf(folder: FileSystemDirectoryHandle): AsyncIterable<string> {
  return (folder as FileSystemDirectoryHandle & { keys(): AsyncIterable<string> }).keys();
}
