import type { PictureType } from '../core/imposition/picture.ts';

/** Writes a resolution into a picture's file, so that print programs know its size on paper. */

const METRES_PER_INCH = 0.0254;
/** Length of a PNG's signature and first chunk, which is always IHDR. */
const AFTER_IHDR = 33;
const CRC_POLYNOMIAL = 0xedb88320;

/** @returns the same bytes where the format keeps no resolution, or is not what it is said to be */
export function withResolution(bytes: Uint8Array, type: PictureType, dpi: number): Uint8Array {
  if (type === 'image/png') return pngWithResolution(bytes, dpi);
  if (type === 'image/jpeg') return jpegWithResolution(bytes, dpi);
  return bytes;
}

function pngWithResolution(bytes: Uint8Array, dpi: number): Uint8Array {
  if (bytes.length < AFTER_IHDR || bytes[0] !== 0x89) return bytes;
  const chunk = new Uint8Array(21);
  const view = new DataView(chunk.buffer);
  const perMetre = Math.round(dpi / METRES_PER_INCH);
  view.setUint32(0, 9);
  chunk.set([0x70, 0x48, 0x59, 0x73], 4); // pHYs
  view.setUint32(8, perMetre);
  view.setUint32(12, perMetre);
  view.setUint8(16, 1);
  view.setUint32(17, crc32(chunk.subarray(4, 17)));
  const made = new Uint8Array(bytes.length + chunk.length);
  made.set(bytes.subarray(0, AFTER_IHDR));
  made.set(chunk, AFTER_IHDR);
  made.set(bytes.subarray(AFTER_IHDR), AFTER_IHDR + chunk.length);
  return made;
}

function jpegWithResolution(bytes: Uint8Array, dpi: number): Uint8Array {
  // A JFIF header comes first: FF D8 FF E0, length, "JFIF\0", version, unit, densities.
  const isJfif = bytes[2] === 0xff && bytes[3] === 0xe0 && bytes[6] === 0x4a && bytes[9] === 0x46;
  if (bytes.length < 20 || !isJfif) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint8(13, 1);
  view.setUint16(14, Math.round(dpi));
  view.setUint16(16, Math.round(dpi));
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
