import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * Kinds of files that are compressed; other fonts and pictures are already. Release builds of the server hold their
 * compressed forms alone: `functions-host/src/hosting/embedded.rs` lists the same kinds.
 */
export const COMPRESSED_KINDS = ['css', 'html', 'js', 'json', 'mjs', 'node', 'svg', 'ttf', 'txt', 'wasm'];

const COMPRESSIBLE = new RegExp(`\\.(${COMPRESSED_KINDS.join('|')})$`);

/** Files that browsers rarely or never load: the best quality takes ten times as long and gains a tenth. */
const SELDOM_LOADED = /\.(mjs|node|ttf)$/;

/** Size in bytes from which what the present build does not use is deleted. */
const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Writes `FILE.br` beside every compressible file under `dir`.
 *
 * @param {string} dir
 * @param {string} cache folder in which compressed forms are kept by the hash of their content
 */
export function writeBrotli(dir, cache) {
  mkdirSync(cache, { recursive: true });
  const used = new Set();
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    const quality = SELDOM_LOADED.test(entry.name) ? 9 : 11;
    const key = `${createHash('sha256').update(content).digest('hex')}-${quality}`;
    used.add(key);
    writeFileSync(`${file}.br`, compressed(content, quality, path.join(cache, key)));
  }
  trim(cache, used);
}

function compressed(content, quality, kept) {
  try {
    return readFileSync(kept);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const packed = brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
  // Whole or not at all: another build may look for it.
  const unfinished = `${kept}.${process.pid}`;
  writeFileSync(unfinished, packed);
  renameSync(unfinished, kept);
  return packed;
}

/** Deletes what is not used, if much is kept. */
function trim(cache, used) {
  const kept = readdirSync(cache).map((name) => ({ name, bytes: statSync(path.join(cache, name)).size }));
  if (kept.reduce((sum, { bytes }) => sum + bytes, 0) <= CACHE_BYTES) return;
  for (const { name } of kept) if (!used.has(name)) rmSync(path.join(cache, name), { force: true });
}
