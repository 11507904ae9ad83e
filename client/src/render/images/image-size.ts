import type { ImageSize } from '../../core/layout/assets.ts';
import { isJpeg, markerFrom } from './jpeg.ts';

/** Width and height in pixels from the head of a PNG, JPEG, GIF or WebP file; undefined for others. */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return pngSize(view) ?? jpegSize(view) ?? gifSize(view) ?? webpSize(view);
  } catch (error) {
    // Truncated within its header: it cannot be decoded.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function pngSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47) return undefined;
  return sized(view.getUint32(16), view.getUint32(20));
}

function gifSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 10 || view.getUint32(0) !== 0x47494638) return undefined;
  const [w, h] = [view.getUint16(6, true), view.getUint16(8, true)];
  const frame = firstFrame(view);
  // Decoders enlarge the screen to hold a first frame that exceeds it.
  return sized(Math.max(w, frame?.right ?? 0), Math.max(h, frame?.bottom ?? 0));
}

/** End of a GIF's first frame; undefined where the file ends before it. */
function firstFrame(view: DataView): { readonly right: number; readonly bottom: number } | undefined {
  if (view.byteLength < 13) return undefined;
  const flags = view.getUint8(10);
  let at = 13 + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  const u16 = (place: number): number => view.getUint16(place, true);
  while (at < view.byteLength) {
    const mark = view.getUint8(at);
    if (mark === 0x2c && at + 9 <= view.byteLength) {
      return { right: u16(at + 1) + u16(at + 5), bottom: u16(at + 3) + u16(at + 7) };
    }
    if (mark !== 0x21) return undefined;
    at += 2;
    // An extension is a chain of blocks, each after its length; an empty one ends it.
    while (at < view.byteLength && view.getUint8(at) !== 0) at += 1 + view.getUint8(at);
    at++;
  }
  return undefined;
}

function jpegSize(view: DataView): ImageSize | undefined {
  if (!isJpeg(view)) return undefined;
  for (let from = 2; from < view.byteLength; ) {
    const at = markerFrom(view, from);
    if (at === undefined) return undefined;
    const marker = view.getUint8(at + 1);
    const startOfFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (startOfFrame) return sized(view.getUint16(at + 7), view.getUint16(at + 5));
    from = at + 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function webpSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 30 || view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250)
    return undefined;
  switch (view.getUint32(12)) {
    case 0x56503820: // 'VP8 '
      return sized(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 0x5650384c: {
      // 'VP8L'
      const bits = view.getUint32(21, true);
      return sized((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
    }
    case 0x56503858: // 'VP8X'
      return sized(uint24(view, 24) + 1, uint24(view, 27) + 1);
    default:
      return undefined;
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function sized(w: number, h: number): ImageSize | undefined {
  return w > 0 && h > 0 ? { w, h } : undefined;
}
