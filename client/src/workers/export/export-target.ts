import type { ExportTarget } from './export-protocol.ts';
import { refusalOf, refusalWords } from './full-storage.ts';

/** Folder of the site's storage that holds finished and unfinished exports. */
export const EXPORTS_FOLDER = 'exports';

/**
 * Bytes handed over at once. Each time waits some milliseconds for the browser process, as long as a card takes to
 * paint.
 */
const WRITE_BYTES = 2 * 1024 * 1024;

/**
 * A file that appears whole or not at all: bytes go to a copy that takes the file's place when it is closed, so a
 * cancelled or crashed export leaves nothing that looks finished.
 */
export class TargetFile {
  readonly #target: ExportTarget;
  readonly #handle: FileSystemFileHandle;
  readonly #stream: FileSystemWritableFileStream;
  readonly #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** The write under way; later bytes wait for it only when they are to be written themselves. */
  #writing: Promise<void> = Promise.resolve();
  /** Bytes stored so far. */
  #stored = 0;
  /** Bytes accepted so far. */
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

  /** @throws Error with the remedy when there is no room even for an empty file */
  static async open(target: ExportTarget): Promise<TargetFile> {
    try {
      const handle = target.kind === 'disk' ? target.handle : await siteFile(target.name);
      return new TargetFile(target, handle, await handle.createWritable());
    } catch (error) {
      const refusal = refusalOf(error, 'close');
      if (!refusal) throw error;
      throw new Error(refusalWords(refusal, target.kind, 0));
    }
  }

  /**
   * Accepts bytes, which must not change afterwards.
   * @throws Error with the remedy when storage is full, for these bytes or earlier ones
   */
  async write(chunk: Uint8Array): Promise<void> {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    this.bytes += chunk.length;
    if (this.#heldBytes >= WRITE_BYTES) await this.#handOver();
  }

  /** Starts to write the buffered bytes, once the previous write is done. */
  async #handOver(): Promise<void> {
    await this.#writing;
    const bytes = joined(this.#held, this.#heldBytes);
    this.#held.length = 0;
    this.#heldBytes = 0;
    const written = this.#stream.write(bytes).then(() => {
      this.#stored += bytes.length;
    });
    this.#writing = this.#roomy('write', written);
    // The next caller that awaits it gets its error.
    this.#writing.catch(() => undefined);
  }

  /** Puts the file in its place; returns it when the page must offer it for download. */
  async close(): Promise<File | undefined> {
    await this.#handOver();
    await this.#writing;
    await this.#roomy('close', this.#stream.close());
    return this.#target.kind === 'site' ? this.#handle.getFile() : undefined;
  }

  #roomy(during: 'write' | 'close', step: Promise<void>): Promise<void> {
    return step.catch((error: unknown) => {
      const refusal = refusalOf(error, during);
      if (!refusal) throw error;
      throw new Error(refusalWords(refusal, this.#target.kind, this.#stored));
    });
  }

  /** Removes the unfinished file. */
  async discard(): Promise<void> {
    await this.#stream.abort().catch(() => undefined);
    // Choosing a name on disk creates an empty file, and so does opening one here.
    if ((await this.#handle.getFile().catch(() => undefined))?.size === 0) {
      await removable(this.#handle)
        .remove?.()
        .catch(() => undefined);
    }
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const [only] = chunks;
  if (only && chunks.length === 1) return only as Uint8Array<ArrayBuffer>;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
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
