import { MAX_IMAGE_PIXELS } from '../../../core/images/limits.ts';
import { isSvg } from '../../../core/svg/is-svg.ts';
import { imageSize } from '../../../render/images/image-size.ts';

/** Largest image that this host's rules take, in bytes. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** Longer edge of the picture that an SVG becomes which cannot stay one, in pixels. */
export const DRAWING_EDGE_PX = 2_048;

/** File type, detected from the bytes. */
export interface ImageKind {
  readonly type: string;
  readonly ending: string;
  /** Size in pixels, where the head of the file says it. */
  readonly size?: { readonly w: number; readonly h: number } | undefined;
  /** Painters and printers do not read it: it is stored as a PNG, or as the paths of an SVG. */
  readonly convert: boolean;
}

/** A file that cannot become an image here; the message says why and what to do. */
export class NotAnImage extends Error {
  override readonly name = 'NotAnImage';
}

const starts = (bytes: Uint8Array, ...head: number[]) => head.every((byte, i) => bytes[i] === byte);
const text = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)));

function typeOf(bytes: Uint8Array): Omit<ImageKind, 'size'> | undefined {
  if (starts(bytes, 0x89, 0x50, 0x4e, 0x47)) return { type: 'image/png', ending: '.png', convert: false };
  if (starts(bytes, 0xff, 0xd8, 0xff)) return { type: 'image/jpeg', ending: '.jpg', convert: false };
  if (text(bytes, 0, 4) === 'GIF8') return { type: 'image/gif', ending: '.gif', convert: false };
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP')
    return { type: 'image/webp', ending: '.webp', convert: false };
  if (text(bytes, 4, 8) === 'ftyp' && /^avi[fs]/.test(text(bytes, 8, 12)))
    return { type: 'image/avif', ending: '.avif', convert: true };
  if (text(bytes, 0, 2) === 'BM') return { type: 'image/bmp', ending: '.bmp', convert: true };
  if (isSvg(bytes)) return { type: 'image/svg+xml', ending: '.svg', convert: true };
  return undefined;
}

/** File type, detected from the bytes and not from the name. @throws NotAnImage naming the fault */
export function kindOf(bytes: Uint8Array): ImageKind {
  if (bytes.length === 0) throw new NotAnImage('The file is empty.');
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new NotAnImage(
      `The file has ${megabytes(bytes.length)}; this host takes ${megabytes(MAX_IMAGE_BYTES)} an image. Save it smaller, or as JPEG or WebP.`,
    );
  }
  const found = typeOf(bytes);
  if (!found) {
    throw new NotAnImage('This is no image that can be used: PNG, JPEG, WebP, GIF, AVIF, BMP and SVG can.');
  }
  const size = found.convert ? undefined : imageSize(bytes);
  if (!found.convert && !size) throw new NotAnImage('The image is damaged: its head cannot be read.');
  if (size) checkPixels(size.w, size.h);
  return { ...found, size };
}

/** @throws NotAnImage when an image has too many pixels */
export function checkPixels(w: number, h: number): void {
  if (w * h <= MAX_IMAGE_PIXELS) return;
  throw new NotAnImage(
    `The image has ${w} × ${h} pixels; the most is ${MAX_IMAGE_PIXELS / 1e6} megapixels. Save it smaller.`,
  );
}

export const megabytes = (bytes: number): string =>
  `${(bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

/** A length in bytes as people read it. */
export const fileSize = (bytes: number): string =>
  bytes > 0 && bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : megabytes(bytes);

/** Endings of files that are looked at when a folder is dropped; others in it are passed over. */
export const hasImageEnding = (name: string): boolean =>
  /\.(?:png|jpe?g|jfif|webp|gif|avif|bmp|svg)$/i.test(name);

/** Types accepted by the file picker. */
export const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/bmp,image/svg+xml';
