import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** Text and wasm compress well; fonts and pictures are compressed already. */
const COMPRESSIBLE = /\.(js|css|html|svg|wasm|json|txt)$/;

/** Writes `FILE.br` beside every compressible file under `dir`. */
export function writeBrotli(dir) {
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const packed = brotliCompressSync(readFileSync(file), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
    });
    writeFileSync(`${file}.br`, packed);
  }
}
