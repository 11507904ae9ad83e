import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { COMPRESSED_KINDS, writeBrotli } from './compress.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-compress-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('compresses what the server holds compressed alone, and nothing else', () => {
  const server = readFileSync(
    new URL('../../functions-host/src/hosting/embedded.rs', import.meta.url),
    'utf8',
  );
  const excluded = [...server.matchAll(/exclude = "\*\.(\w+)"/g)].map(([, kind]) => kind);
  expect(excluded).toEqual(COMPRESSED_KINDS);
  const dist = path.join(folder, 'dist');
  writeBrotliOf(dist, [...COMPRESSED_KINDS.map((kind) => `a.${kind}`), 'font.woff2', 'canvas.packed']);
  expect(readdirSync(dist).filter((name) => name.endsWith('.br'))).toEqual(
    COMPRESSED_KINDS.map((kind) => `a.${kind}.br`),
  );
});

it('takes from the cache what it compressed before', () => {
  const [dist, cache] = [path.join(folder, 'dist'), path.join(folder, 'cache')];
  writeBrotliOf(dist, ['a.js', 'b.js']);
  expect(readdirSync(cache)).toHaveLength(1);
  const [key] = readdirSync(cache);
  writeFileSync(path.join(cache, key), 'kept');
  writeBrotli(dist, cache);
  expect(readFileSync(path.join(dist, 'b.js.br'), 'utf8')).toBe('kept');
});

function writeBrotliOf(dist, names) {
  mkdirSync(dist);
  for (const name of names) writeFileSync(path.join(dist, name), 'text '.repeat(50));
  writeBrotli(dist, path.join(folder, 'cache'));
  for (const name of names.filter((one) => /\.js$/.test(one)))
    expect(brotliDecompressSync(readFileSync(path.join(dist, `${name}.br`))).toString()).toBe(
      'text '.repeat(50),
    );
}
