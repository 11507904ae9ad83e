import { gunzipSync, unzlibSync } from 'fflate';
import type { TiledLayer } from './schema.ts';
import { TiledError } from './tiled-error.ts';

/** Bits of a cell that say how its tile is turned; the rest is its number. */
const NUMBER = 0x0fffffff;
const BYTES_OF_A_CELL = 4;
const DAMAGED = 'The layers of this map are damaged. Save it again in Tiled.';

/** The tiles of a layer: their numbers, 0 for none. */
export interface LayerTiles {
  readonly numbers: Uint32Array;
  /** The same with the bits that say how they are turned. */
  readonly raw: Uint32Array;
  /** True if one of them is turned or mirrored. */
  readonly turned: boolean;
}

/** @throws TiledError when the tiles of a layer cannot be read */
export function tilesOf({ data, encoding, compression, name }: TiledLayer, count: number): LayerTiles {
  const found = typeof data === 'string' ? unpacked(data.trim(), encoding, compression, count) : (data ?? []);
  if (found.length !== count) {
    throw new TiledError(
      `The layer “${name ?? ''}” has ${found.length} cells; the map has ${count}. Save the map again in Tiled.`,
    );
  }
  const raw = Uint32Array.from(found);
  return { numbers: raw.map((tile) => tile & NUMBER), raw, turned: raw.some((tile) => tile > NUMBER) };
}

function unpacked(
  text: string,
  encoding: string | undefined,
  compression: string | undefined,
  count: number,
): ArrayLike<number> {
  if (encoding === 'csv') {
    const numbers = text.split(',').map(Number);
    if (!numbers.every(Number.isInteger)) throw new TiledError(DAMAGED);
    return numbers;
  }
  if (encoding !== 'base64') throw new TiledError('The layers are written in a way that is not known here.');
  const view = new DataView(inflated(text, compression, count * BYTES_OF_A_CELL));
  return Array.from({ length: Math.floor(view.byteLength / BYTES_OF_A_CELL) }, (_, at) =>
    view.getUint32(at * BYTES_OF_A_CELL, true),
  );
}

function inflated(text: string, compression: string | undefined, size: number): ArrayBuffer {
  // Whatever a file claims to unpack to, room is made for the map's cells and one more, by which too many are noticed.
  const out = new Uint8Array(size + BYTES_OF_A_CELL);
  try {
    const bytes = Uint8Array.from(atob(text.replace(/\s+/g, '')), (letter) => letter.charCodeAt(0));
    if (!compression) return bytes.buffer;
    if (compression === 'zlib') return unzlibSync(bytes, { out }).slice().buffer;
    if (compression === 'gzip') return gunzipSync(bytes, { out }).slice().buffer;
  } catch {
    throw new TiledError(DAMAGED);
  }
  throw new TiledError(
    'The layers are compressed with Zstandard. Choose CSV or zlib in Tiled: Map, Map properties, Tile layer format.',
  );
}
