/**
 * Colour profiles (ICC) in image files. Browsers and Skia convert an image's colours by its profile; a PDF does so only
 * if it has the profile, too.
 */

import { Unzlib } from 'fflate';
import { joined, textAt } from './bytes.ts';
import { isJpeg, markerFrom } from './jpeg.ts';

export interface ColourProfile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Values of a pixel: 1 for grey, 3 for RGB, 4 for CMYK. */
  readonly channels: 1 | 3 | 4;
}

/** Largest profile, in bytes: those of printing presses have about two million. */
const MAX_PROFILE_BYTES = 4 << 20;
/** Bytes of a profile's header. */
const HEADER_BYTES = 128;
/** Bytes unpacked at a time: a thousand times as many may come of them. */
const CHUNK_BYTES = 4_096;
const APP2 = 0xe2;
const START_OF_SCAN = 0xda;
/** Opening of a segment of JPEG with a part of a profile; its number and their count follow. */
const JPEG_OPENING = 'ICC_PROFILE\0';
const CHANNELS: Readonly<Record<string, 1 | 3 | 4>> = { GRAY: 1, 'RGB ': 3, CMYK: 4 };
/** Kinds of profiles that a PDF may have for an image: of scanners, screens, printers, and conversions. */
const CLASSES = new Set(['scnr', 'mntr', 'prtr', 'spac']);

/** The colour profile of a JPEG or PNG file; undefined without one that can be used. */
export function colourProfile(bytes: Uint8Array): ColourProfile | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return checked(isJpeg(view) ? inJpeg(view, bytes) : inPng(view, bytes));
  } catch (error) {
    // The file ends early.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function checked(profile: Uint8Array<ArrayBuffer> | undefined): ColourProfile | undefined {
  if (!profile || profile.length < HEADER_BYTES) return undefined;
  const size = new DataView(profile.buffer, profile.byteOffset).getUint32(0);
  const channels = CHANNELS[textAt(profile, 16, 4)];
  const usable = textAt(profile, 36, 4) === 'acsp' && CLASSES.has(textAt(profile, 12, 4));
  if (!channels || !usable || size < HEADER_BYTES || size > profile.length) return undefined;
  return { bytes: profile.subarray(0, size), channels };
}

function inJpeg(view: DataView, bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const parts: Uint8Array[] = [];
  let count = 0;
  for (let from = 2; ; ) {
    const at = markerFrom(view, from);
    const marker = at === undefined ? START_OF_SCAN : view.getUint8(at + 1);
    if (at === undefined || marker === START_OF_SCAN) break;
    const content = at + 4;
    from = at + 2 + view.getUint16(at + 2);
    if (marker !== APP2 || textAt(bytes, content, JPEG_OPENING.length) !== JPEG_OPENING) continue;
    const number = content + JPEG_OPENING.length;
    count = view.getUint8(number + 1);
    parts[view.getUint8(number) - 1] = bytes.subarray(number + 2, from);
  }
  // Parts that are missing are holes of the list.
  const complete = count > 0 && parts.length === count && Object.keys(parts).length === count;
  return complete && parts.reduce((sum, { length }) => sum + length, 0) <= MAX_PROFILE_BYTES
    ? joined(parts)
    : undefined;
}

function inPng(view: DataView, bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (view.byteLength < 8 || view.getUint32(0) !== 0x89504e47) return undefined;
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const type = textAt(bytes, at + 4, 4);
    if (type === 'IDAT') return undefined;
    if (type !== 'iCCP') continue;
    const content = bytes.subarray(at + 8, at + 8 + view.getUint32(at));
    const name = content.indexOf(0);
    return name < 0 ? undefined : inflated(content.subarray(name + 2));
  }
  return undefined;
}

/** Data of zlib; undefined if it is damaged or too large. */
function inflated(packed: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream = new Unzlib((chunk) => {
    size += chunk.length;
    if (size > MAX_PROFILE_BYTES) throw new Error('too large');
    chunks.push(chunk);
  });
  try {
    for (let at = 0; at < packed.length; at += CHUNK_BYTES)
      stream.push(packed.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= packed.length);
  } catch {
    return undefined;
  }
  return joined(chunks);
}
