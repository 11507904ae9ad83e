import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** The output outgrew its file. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** A file that appears once it is whole; until then its bytes are in a temporary file beside it. */
export class NewFile {
  readonly #file: string;
  readonly #unfinished: string;
  readonly #handle: FileHandle;
  readonly #most: number;
  /** Bytes written. */
  bytes = 0;

  private constructor(file: string, unfinished: string, handle: FileHandle, most: number) {
    this.#file = file;
    this.#unfinished = unfinished;
    this.#handle = handle;
    this.#most = most;
  }

  /** @param most largest size in bytes */
  static async create(file: string, most = Number.POSITIVE_INFINITY): Promise<NewFile> {
    const unfinished = `${file}.unfinished-${process.pid}`;
    return new NewFile(file, unfinished, await open(unfinished, 'w'), most);
  }

  /** @throws FileTooLarge before a byte is written past the limit */
  readonly write = async (chunk: Uint8Array): Promise<void> => {
    if (this.bytes + chunk.length > this.#most) {
      throw new FileTooLarge(`It would be larger than ${Math.floor(this.#most / 1024 / 1024)} MB.`);
    }
    await this.#handle.writeFile(chunk);
    this.bytes += chunk.length;
  };

  /** Moves the file into its place. */
  async close(): Promise<void> {
    await this.#handle.sync();
    await this.#handle.close();
    await rename(this.#unfinished, this.#file);
  }

  /** Removes the temporary file; an earlier file stays. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(this.#unfinished, { force: true });
  }
}
