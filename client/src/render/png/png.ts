import { crc32 } from './checksums.ts';
import { RowPacker } from './deflate.ts';
import { filterRows } from './filter.ts';

/**
 * Writes PNG files. A canvas can do it too, but takes about three times as long, knows no resolution and compresses
 * differently in every browser.
 */

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const METRES_PER_INCH = 0.0254;
/** Length, name and checksum of a chunk, in bytes. */
const CHUNK_FRAME = 12;
/** Eight bits each of red, green, blue and alpha. */
const BIT_DEPTH = 8;
const COLOUR_RGBA = 6;

/** Pixels usually read and compressed at once: 16 MiB. */
const STRIP_PIXELS = 4 * 1024 * 1024;
/** Expected compressed bytes per pixel, and the most expected; a wrong guess costs a copy. */
const BYTES_PER_PIXEL = 1;
const MAX_EXPECTED_BYTES = 64 * 1024 * 1024;

/** Reads rows of an image, from the top down: RGBA, not premultiplied. The returned array is overwritten. */
export type ReadRows = (firstRow: number, rows: number) => Uint8ClampedArray | Promise<Uint8ClampedArray>;

/**
 * @param dpi written into the file
 * @param stripPixels pixels read at once
 */
export async function encodePng(
  read: ReadRows,
  width: number,
  height: number,
  dpi: number,
  stripPixels = STRIP_PIXELS,
): Promise<Uint8Array<ArrayBuffer>> {
  const packer = new RowPacker(width, Math.min(MAX_EXPECTED_BYTES, width * height * BYTES_PER_PIXEL));
  const rowsPerStrip = Math.max(1, Math.floor(stripPixels / width));
  for (let firstRow = 0; firstRow < height; firstRow += rowsPerStrip) {
    const rows = Math.min(rowsPerStrip, height - firstRow);
    const bytes = await read(firstRow, rows);
    const pixels = new Int32Array(bytes.buffer, bytes.byteOffset, width * rows);
    packer.add(pixels, filterRows(pixels, width, rows), firstRow + rows === height);
  }
  const perMetre = Math.round(dpi / METRES_PER_INCH);
  const chunks: readonly (readonly [string, Uint8Array])[] = [
    ['IHDR', Uint8Array.from([...bigEndian(width), ...bigEndian(height), BIT_DEPTH, COLOUR_RGBA, 0, 0, 0])],
    ['sRGB', Uint8Array.of(0)],
    ['pHYs', Uint8Array.from([...bigEndian(perMetre), ...bigEndian(perMetre), 1])],
    ['IDAT', packer.done()],
    ['IEND', new Uint8Array()],
  ];
  const bytes = new Uint8Array(
    chunks.reduce((sum, [, data]) => sum + CHUNK_FRAME + data.length, SIGNATURE.length),
  );
  bytes.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const [name, data] of chunks) {
    bytes.set(bigEndian(data.length), at);
    bytes.set(new TextEncoder().encode(name), at + 4);
    bytes.set(data, at + 8);
    const end = at + 8 + data.length;
    bytes.set(bigEndian(crc32(bytes.subarray(at + 4, end))), end);
    at = end + 4;
  }
  return bytes;
}

const bigEndian = (value: number): readonly [number, number, number, number] => [
  value >>> 24,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];
