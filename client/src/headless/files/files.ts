import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ImageLibrary, isAddress } from '../../core/images/library.ts';
import { MAX_IMAGE_BYTES } from '../../core/images/limits.ts';
import { BodyTooLarge, readBody } from '../../core/read-body.ts';
import { isStoredFile } from '../../core/stored-file.ts';
import { MAX_FONT_BYTES } from '../../core/text/fonts/font-limits.ts';
import type { FaceReader } from '../../core/text/fonts/font-registry.ts';
import { type ImageReader, ImageRefused } from '../../render/images/image-registry.ts';

/**
 * Fonts and images of an export, by the addresses that layouts and cells name. People write those addresses, and the
 * program may run on a server, so that only permitted addresses are followed.
 */

/** Time limit for one file, in milliseconds. */
const READ_TIMEOUT_MS = 60_000;
/** Most characters per byte in a data address: `%20`. */
const CHARACTERS_A_BYTE = 3;
/** Characters of a data address before its bytes. */
const DATA_HEAD = 200;
/** Built-in fonts are files beside the program, without subfolders. */
const BUILT_IN_FONT = /^[\w-]+(?:\.[\w-]+)+$/;

/** Path on the site of the fonts of the East Asian pack. */
const PACKED_FONT = '/fonts/cjk/';

/** A file that is not read. The message goes on after its name: “lies on another server: …”. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

export interface Places {
  /** Address of the server. */
  readonly origin: string;
  /** Follow addresses to other servers: for users who run the program on their own machine. */
  readonly outside: boolean;
  /** Advice about a file on another server. */
  readonly advice: string;
  readonly fetcher?: typeof fetch;
}

/** Reads files by their addresses, where `Places` allow it. */
export class Files {
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  /**
   * The bytes at an address, which may be a path on the server.
   * @throws FileRefused when it is not permitted, does not exist, or holds more than `most` bytes
   */
  async read(address: string, most: number): Promise<Uint8Array> {
    const { url, redirect } = this.#allowed(address, most);
    const { fetcher = fetch } = this.#places;
    let response: Response;
    try {
      response = await fetcher(url, { redirect, signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    } catch (error) {
      // Details of failures between servers concern this machine alone.
      throw new FileRefused('cannot be read: nobody answers at its address.', { cause: error });
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw new FileRefused(`cannot be read: the server answered ${response.status}.`);
    }
    return bodyOf(response, most);
  }

  #allowed(address: string, most: number): { readonly url: URL; readonly redirect: RequestRedirect } {
    const { origin, outside, advice } = this.#places;
    if (address.length > DATA_HEAD + CHARACTERS_A_BYTE * most)
      throw new FileRefused(new BodyTooLarge(most).message);
    const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined;
    if (url?.protocol === 'data:') return { url, redirect: 'error' };
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
      throw new FileRefused('has an address that cannot be read.');
    }
    if (isStoredFile(address, origin)) return { url, redirect: 'error' };
    if (outside) return { url, redirect: 'follow' };
    const own = url.origin === new URL(origin).origin;
    throw new FileRefused(`${own ? 'is no stored file' : 'lies on another server'}: ${advice}`);
  }
}

/** Reads a body up to a limit. */
async function bodyOf(response: Response, most: number): Promise<Uint8Array> {
  try {
    return await readBody(response, most);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new FileRefused(error.message, { cause: error });
    throw new FileRefused('cannot be read: its server ended in the middle of it.', { cause: error });
  }
}

/**
 * Built-in fonts from a folder beside the program, those of the East Asian pack from its folder, custom fonts from the
 * server.
 */
export function faceReader(files: Files, fonts: string, pack: string): FaceReader {
  return async ({ file }) => {
    const packed = file.startsWith(PACKED_FONT);
    if (!packed && file.includes('/')) return files.read(file, MAX_FONT_BYTES);
    const [folder, name] = packed ? [pack, file.slice(PACKED_FONT.length)] : [fonts, file];
    const found =
      BUILT_IN_FONT.test(name) && (await readFile(path.join(folder, name)).catch(() => undefined));
    if (!found) throw new FileRefused('there is no such font here.');
    return found;
  };
}

/** Images of the library, which are stored on the server, and others by address. */
export function imageReader(files: Files, library: ImageLibrary): ImageReader {
  return async (source) => {
    const found = library.find(source);
    const url = found?.url ?? (isAddress(source) ? source : undefined);
    if (url === undefined) return undefined;
    try {
      const bytes = await files.read(url, MAX_IMAGE_BYTES);
      return { bytes, crop: found?.crop, focus: found?.focus };
    } catch (error) {
      throw error instanceof FileRefused ? new ImageRefused(error.message, { cause: error }) : error;
    }
  };
}
