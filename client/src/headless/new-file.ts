import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** A file that appears when it is whole; until then what is written lies beside it under another name. */
export class NewFile {
  readonly #file: string;
  readonly #unfinished: string;
  readonly #handle: FileHandle;
  /** Bytes written. */
  bytes = 0;

  private constructor(file: string, unfinished: string, handle: FileHandle) {
    this.#file = file;
    this.#unfinished = unfinished;
    this.#handle = handle;
  }

  static async create(file: string): Promise<NewFile> {
    const unfinished = `${file}.unfinished-${process.pid}`;
    return new NewFile(file, unfinished, await open(unfinished, 'w'));
  }

  readonly write = async (chunk: Uint8Array): Promise<void> => {
    await this.#handle.writeFile(chunk);
    this.bytes += chunk.length;
  };

  /** Puts the file in its place. */
  async close(): Promise<void> {
    await this.#handle.sync();
    await this.#handle.close();
    await rename(this.#unfinished, this.#file);
  }

  /** Leaves nothing behind; what was there before stays. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(this.#unfinished, { force: true });
  }
}
