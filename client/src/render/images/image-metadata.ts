/**
 * Metadata of image files: cameras write the place where a photo was taken, its time and a thumbnail of its uncropped
 * form. An image is shown to members, players and whoever gets an export, so that nothing is kept but its picture and
 * its colours.
 */

import { joined, textAt } from './bytes.ts';
import { isJpeg, markerFrom } from './jpeg.ts';

/** A file without its metadata. */
export interface BareImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Orientation by EXIF, 1 to 8: 1 is upright. Without the metadata, a file that is not upright lies on its side. */
  readonly orientation: number;
  /** False for a file that is damaged or of another format: it is as it was, with whatever is in it. */
  readonly isBare: boolean;
}

const UPRIGHT = 1;
const APP0 = 0xe0;
const APP15 = 0xef;
const COMMENT = 0xfe;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const ORIENTATION_TAG = 0x0112;
/** Most entries read of a directory of EXIF. */
const MAX_ENTRIES = 1_000;

/** Chunks of PNG that decide its looks; others are texts, times and what programs add. */
const PNG_CHUNKS = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs acTL fcTL fdAT'.split(' '),
);
const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Flags of VP8X that announce EXIF and XMP. */
const WEBP_METADATA = 0x08 | 0x04;

/** Parts of GIF; other extensions are comments and texts. */
const GIF_IMAGE = 0x2c;
const GIF_EXTENSION = 0x21;
const GIF_TRAILER = 0x3b;
const GIF_CONTROL = 0xf9;
const GIF_APPLICATION = 0xff;
/** Applications whose extensions of a GIF decide its looks: how often it repeats, and its colour profile. */
const GIF_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/** A PNG, JPEG, WebP or GIF file without its metadata; any other file as it is. Damaged files are left as they are. */
export function withoutMetadata(bytes: Uint8Array<ArrayBuffer>): BareImage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return (
      bareJpeg(view, bytes) ??
      barePng(view, bytes) ??
      bareWebp(view, bytes) ??
      bareGif(view, bytes) ??
      asItIs(bytes)
    );
  } catch (error) {
    if (error instanceof RangeError) return asItIs(bytes);
    throw error;
  }
}

const asItIs = (bytes: Uint8Array<ArrayBuffer>): BareImage => ({
  bytes,
  orientation: UPRIGHT,
  isBare: false,
});

/** Segments that say how colours are meant: JFIF, the colour profile, and Adobe's kind of CMYK. */
function decidesLooks(marker: number, bytes: Uint8Array, content: number): boolean {
  if (marker === COMMENT) return false;
  if (marker < APP0 || marker > APP15) return true;
  return (
    (marker === APP0 && textAt(bytes, content, 5) === 'JFIF\0') ||
    (marker === APP0 + 2 && textAt(bytes, content, 12) === 'ICC_PROFILE\0') ||
    (marker === APP0 + 14 && textAt(bytes, content, 5) === 'Adobe')
  );
}

function bareJpeg(view: DataView, bytes: Uint8Array<ArrayBuffer>): BareImage | undefined {
  if (!isJpeg(view)) return undefined;
  const parts = [bytes.subarray(0, 2)];
  let orientation = UPRIGHT;
  for (let from = 2; from < view.byteLength; ) {
    const at = markerFrom(view, from);
    if (at === undefined) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === END_OF_IMAGE) {
      // Phones add further pictures and films behind the end.
      parts.push(bytes.subarray(at, at + 2));
      return { bytes: joined(parts), orientation, isBare: true };
    }
    const content = at + 4;
    let end = at + 2 + view.getUint16(at + 2);
    if (end > view.byteLength || end < content) return undefined;
    if (marker === APP0 + 1 && textAt(bytes, content, 6) === 'Exif\0\0') {
      orientation = orientationOf(view, content + 6, end) ?? orientation;
    }
    if (marker === START_OF_SCAN) end = endOfScan(view, end);
    if (decidesLooks(marker, bytes, content)) parts.push(bytes.subarray(at, end));
    from = end;
  }
  // Cut off within its scan: decoders show what is there.
  return { bytes: joined(parts), orientation, isBare: true };
}

/** The next marker after the data of a scan: there, 0xff is followed by 0 or by a restart's number. */
function endOfScan(view: DataView, from: number): number {
  for (let at = from; at + 1 < view.byteLength; at++) {
    if (view.getUint8(at) !== 0xff) continue;
    const next = view.getUint8(at + 1);
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return view.byteLength;
}

/** Orientation in the first directory of EXIF, which begins at `start`. */
function orientationOf(view: DataView, start: number, end: number): number | undefined {
  if (start + 8 > end) return undefined;
  const little = view.getUint16(start) === 0x4949;
  const directory = start + view.getUint32(start + 4, little);
  if (directory + 2 > end) return undefined;
  const count = Math.min(view.getUint16(directory, little), MAX_ENTRIES);
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + 12 * i;
    if (entry + 12 > end) return undefined;
    if (view.getUint16(entry, little) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}

function barePng(view: DataView, bytes: Uint8Array<ArrayBuffer>): BareImage | undefined {
  if (view.byteLength < 8 || view.getUint32(0) !== 0x89504e47) return undefined;
  const parts = [bytes.subarray(0, 8)];
  let orientation = UPRIGHT;
  for (let at = 8; at + 12 <= view.byteLength; ) {
    const type = textAt(bytes, at + 4, 4);
    const end = at + 12 + view.getUint32(at);
    if (end > view.byteLength) return undefined;
    if (type === 'eXIf') orientation = orientationOf(view, at + 8, end - 4) ?? orientation;
    if (PNG_CHUNKS.has(type)) parts.push(bytes.subarray(at, end));
    if (type === 'IEND') return { bytes: joined(parts), orientation, isBare: true };
    at = end;
  }
  return undefined;
}

function bareWebp(view: DataView, bytes: Uint8Array<ArrayBuffer>): BareImage | undefined {
  if (view.byteLength < 12 || view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250)
    return undefined;
  const whole = Math.min(view.byteLength, 8 + view.getUint32(4, true));
  const parts: Uint8Array[] = [];
  let orientation = UPRIGHT;
  for (let at = 12; at + 8 <= whole; ) {
    const type = textAt(bytes, at, 4);
    const length = view.getUint32(at + 4, true);
    // The length is even in the file.
    const end = at + 8 + length + (length % 2);
    if (at + 8 + length > whole) return undefined;
    if (type === 'EXIF') {
      const head = textAt(bytes, at + 8, 6) === 'Exif\0\0' ? 6 : 0;
      orientation = orientationOf(view, at + 8 + head, at + 8 + length) ?? orientation;
    }
    if (WEBP_CHUNKS.has(type)) {
      const chunk = bytes.slice(at, Math.min(end, whole));
      if (type === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ~WEBP_METADATA;
      parts.push(chunk);
    }
    at = end;
  }
  const head = bytes.slice(0, 12);
  const content = joined(parts);
  new DataView(head.buffer).setUint32(4, 4 + content.length, true);
  return { bytes: joined([head, content]), orientation, isBare: true };
}

/** The end of the blocks of data that begin at `from`: each says its length, and the last is empty. */
function endOfBlocks(view: DataView, from: number): number {
  for (let at = from; ; ) {
    const length = view.getUint8(at);
    at += 1 + length;
    if (length === 0) return at;
  }
}

/** Bytes of a table of colours that a byte of flags announces. */
const colourTable = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

function bareGif(view: DataView, bytes: Uint8Array<ArrayBuffer>): BareImage | undefined {
  if (view.byteLength < 13 || textAt(bytes, 0, 4) !== 'GIF8') return undefined;
  const head = 13 + colourTable(view.getUint8(10));
  const parts = [bytes.subarray(0, head)];
  for (let at = head; ; ) {
    const kind = view.getUint8(at);
    if (kind === GIF_TRAILER) {
      parts.push(bytes.subarray(at, at + 1));
      return { bytes: joined(parts), orientation: UPRIGHT, isBare: true };
    }
    let end: number;
    let isKept = true;
    if (kind === GIF_IMAGE) {
      end = endOfBlocks(view, at + 11 + colourTable(view.getUint8(at + 9)));
    } else if (kind === GIF_EXTENSION) {
      end = endOfBlocks(view, at + 2);
      const label = view.getUint8(at + 1);
      isKept =
        label === GIF_CONTROL ||
        (label === GIF_APPLICATION && GIF_APPLICATIONS.has(textAt(bytes, at + 3, 11)));
    } else {
      return undefined;
    }
    if (isKept) parts.push(bytes.subarray(at, end));
    at = end;
  }
}
