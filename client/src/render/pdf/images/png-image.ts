import { type PDFContext, PDFHexString, type PDFObject, PDFRawStream, type PDFRef } from '@cantoo/pdf-lib';
import { unzlibSync, zlibSync } from 'fflate';
import { toHex } from '../../../core/hex.ts';
import { joined, textAt } from '../../images/bytes.ts';

/**
 * PNG files whose rows go into a PDF as they are stored: PDF knows PNG's filters (PDF 32000-1, 7.4.4.4). The library decodes
 * them and compresses the bare pixels, which takes longer and made drawn pictures three to eight times as large.
 */

const GREY = 0;
const RGB = 2;
const PALETTE = 3;
const GREY_ALPHA = 4;
const RGBA = 6;
/** Bytes of a pixel for each colour type with eight bits a channel. */
const CHANNELS: Readonly<Record<number, number>> = {
  [GREY]: 1,
  [RGB]: 3,
  [PALETTE]: 1,
  [GREY_ALPHA]: 2,
  [RGBA]: 4,
};
/** PNG's own choice of a filter for each row. */
const PNG_PREDICTOR = 15;
/** Signature, and length, name and checksum of a chunk, in bytes. */
const [SIGNATURE, CHUNK_HEAD, CHUNK_TAIL] = [8, 8, 4];

/** Bytes of 256 colours. */
const MAX_PALETTE = 768;
/** Header and checksum around what zlib compressed, in bytes. */
const ZLIB_FRAME = 6;

/** Filtered rows get a tenth smaller at fflate's usual level, in more than twice the time. */
const packed = (rows: Uint8Array): Uint8Array => zlibSync(rows, { level: 4 });

interface Png {
  readonly w: number;
  readonly h: number;
  readonly depth: number;
  readonly colour: number;
  readonly palette: Uint8Array | undefined;
  /** Rows as they are compressed, each behind the number of its filter. */
  readonly data: Uint8Array;
}

/**
 * Puts a PNG into a PDF without decoding its pixels.
 * @returns undefined for files that have to be decoded: interlaced, with 16 bits, transparent colours or a palette with a profile
 * @throws Error when the file is damaged
 */
export function embedPngRows(context: PDFContext, bytes: Uint8Array): PDFRef | undefined {
  const png = readPng(bytes);
  if (!png) return undefined;
  const { w, h, depth, colour, palette, data } = png;
  const channels = CHANNELS[colour] ?? 0;
  const bytesPerRow = 1 + Math.ceil((w * channels * depth) / 8);
  if (data.length <= ZLIB_FRAME) throw new Error('it has no pixels');
  // No more is unpacked than the pixels take.
  const rows = unzlibSync(data, { out: new Uint8Array(bytesPerRow * h) });
  if (rows.length !== bytesPerRow * h) throw new Error('it ends before its last row');
  const embed = (content: Uint8Array, colours: number, more: Record<string, PDFObject | string | string[]>) =>
    context.register(
      PDFRawStream.of(
        context.obj({
          Type: 'XObject',
          Subtype: 'Image',
          Width: w,
          Height: h,
          BitsPerComponent: depth,
          Filter: 'FlateDecode',
          DecodeParms: { Predictor: PNG_PREDICTOR, Colors: colours, BitsPerComponent: depth, Columns: w },
          ...more,
        }),
        content,
      ),
    );
  if (colour === PALETTE) {
    if (!palette || palette.length % 3 !== 0 || palette.length > MAX_PALETTE) {
      throw new Error('it has no palette that can be read');
    }
    const space = context.obj(['Indexed', 'DeviceRGB', palette.length / 3 - 1]);
    space.push(PDFHexString.of(toHex(palette)));
    return embed(data, 1, { ColorSpace: space });
  }
  const space = colour === GREY || colour === GREY_ALPHA ? 'DeviceGray' : 'DeviceRGB';
  if (colour === GREY || colour === RGB) return embed(data, channels, { ColorSpace: space });
  const { colours, alpha } = split(rows, bytesPerRow, channels);
  const mask = isOpaque(alpha, w) ? undefined : embed(packed(alpha), 1, { ColorSpace: 'DeviceGray' });
  return embed(packed(colours), channels - 1, { ColorSpace: space, ...(mask && { SMask: mask }) });
}

function readPng(bytes: Uint8Array): Png | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let head: Uint8Array | undefined;
  let palette: Uint8Array | undefined;
  let profile = false;
  for (let at = SIGNATURE; at + CHUNK_HEAD <= bytes.length; ) {
    const length = view.getUint32(at);
    const name = textAt(bytes, at + 4, 4);
    const content = bytes.subarray(at + CHUNK_HEAD, at + CHUNK_HEAD + length);
    if (name === 'IHDR') head = content;
    else if (name === 'PLTE') palette = content;
    else if (name === 'iCCP') profile = true;
    else if (name === 'tRNS' || name === 'acTL') return undefined;
    else if (name === 'IDAT') parts.push(content);
    at += CHUNK_HEAD + length + CHUNK_TAIL;
  }
  if (!head || head.length < 13) return undefined;
  const size = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const [depth = 0, colour = 0, , , interlaced = 0] = head.subarray(8);
  if (interlaced !== 0 || depth > 8 || CHANNELS[colour] === undefined) return undefined;
  if (colour === PALETTE && profile) return undefined;
  return { w: size.getUint32(0), h: size.getUint32(4), depth, colour, palette, data: joined(parts) };
}

/**
 * Divides filtered rows into those of the colours and those of the transparency. A filter looks at bytes of one channel alone,
 * so that both stay filtered as they were.
 */
function split(
  rows: Uint8Array,
  bytesPerRow: number,
  channels: number,
): { colours: Uint8Array; alpha: Uint8Array } {
  const height = rows.length / bytesPerRow;
  const width = (bytesPerRow - 1) / channels;
  const colours = new Uint8Array(height * (1 + width * (channels - 1)));
  const alpha = new Uint8Array(height * (1 + width));
  let [from, colour, mask] = [0, 0, 0];
  for (let row = 0; row < height; row++) {
    const filter = rows[from++] as number;
    colours[colour++] = filter;
    alpha[mask++] = filter;
    for (let x = 0; x < width; x++) {
      for (let channel = 1; channel < channels; channel++) colours[colour++] = rows[from++] as number;
      alpha[mask++] = rows[from++] as number;
    }
  }
  return { colours, alpha };
}

/** True if filtered rows of one byte a pixel are 255 throughout. */
function isOpaque(rows: Uint8Array, width: number): boolean {
  for (let row = 0, at = 0; at < rows.length; row++) {
    const filter = rows[at++] as number;
    for (let x = 0; x < width; x++) {
      // All before were opaque, or the answer would be known.
      const left = x > 0 ? 255 : 0;
      const up = row > 0 ? 255 : 0;
      if (((rows[at++] as number) + predicted(filter, left, up, left && up)) % 256 !== 255) return false;
    }
  }
  return true;
}

/** The value that a filter expects, by the pixels to the left, above, and above to the left (PNG, 9.2). */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
