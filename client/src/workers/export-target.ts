import type { ExportTarget } from './export-protocol.ts';
import { fullWords, isFull } from './full-storage.ts';

/** Folder of the site's own storage that holds finished and unfinished exports. */
export const EXPORTS_FOLDER = 'exports';

/**
 * A file that appears whole or not at all: what is written goes to a copy that takes the file's
 * place when it is closed, so a cancelled or crashed export leaves nothing that looks finished.
 */
export class TargetFile {
  readonly #target: ExportTarget;
  readonly #handle: FileSystemFileHandle;
  readonly #stream: FileSystemWritableFileStream;
  /** Bytes written. */
  bytes = 0;

  private constructor(
    target: ExportTarget,
    handle: FileSystemFileHandle,
    stream: FileSystemWritableFileStream,
  ) {
    this.#target = target;
    this.#handle = handle;
    this.#stream = stream;
  }

  static async open(target: ExportTarget): Promise<TargetFile> {
    const handle = target.kind === 'disk' ? target.handle : await siteFile(target.name);
    return new TargetFile(target, handle, await handle.createWritable());
  }

  /** @throws Error saying what to do when there is no room */
  async write(chunk: Uint8Array): Promise<void> {
    await this.#roomy(this.#stream.write(chunk as Uint8Array<ArrayBuffer>));
    this.bytes += chunk.length;
  }

  /** Puts the file in its place; answers it when the page must offer it for download. */
  async close(): Promise<File | undefined> {
    await this.#roomy(this.#stream.close());
    return this.#target.kind === 'site' ? this.#handle.getFile() : undefined;
  }

  #roomy(step: Promise<void>): Promise<void> {
    return step.catch((error: unknown) => {
      if (!isFull(error)) throw error;
      throw new Error(fullWords(this.#target.kind, this.bytes));
    });
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    await this.#stream.abort().catch(() => undefined);
    // Choosing a name on disk made an empty file, and so did opening one here.
    if ((await this.#handle.getFile().catch(() => undefined))?.size === 0) {
      await removable(this.#handle)
        .remove?.()
        .catch(() => undefined);
    }
  }
}

/** `remove` is Chrome's. */
function removable(handle: FileSystemFileHandle): { remove?: () => Promise<void> } {
  return handle as FileSystemFileHandle & { remove?: () => Promise<void> };
}

async function siteFile(name: string): Promise<FileSystemFileHandle> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(EXPORTS_FOLDER, { create: true });
  return folder.getFileHandle(name, { create: true });
}
