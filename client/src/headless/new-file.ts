import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** The output outgrew its file. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** A file that appears when it is whole; until then what is written lies beside it under another name. */
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

  /** @param most bytes that it may hold */
  static async create(file: string, most = Number.POSITIVE_INFINITY): Promise<NewFile> {
    const unfinished = `${file}.unfinished-${process.pid}`;
    return new NewFile(file, unfinished, await open(unfinished, 'w'), most);
  }

  /** @throws FileTooLarge before a byte is written past what the file may hold */
  readonly write = async (chunk: Uint8Array): Promise<void> => {
    if (this.bytes + chunk.length > this.#most) {
      throw new FileTooLarge(`It would be larger than ${Math.floor(this.#most / 1024 / 1024)} MB.`);
    }
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
