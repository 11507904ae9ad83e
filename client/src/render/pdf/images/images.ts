import {
  JpegEmbedder,
  PDFBool,
  type PDFContext,
  PDFName,
  PDFRef,
  PDFStream,
  PngEmbedder,
} from '@cantoo/pdf-lib';
import { sameBytes } from '../../../core/same-bytes.ts';
import { type ColourProfile, colourProfile } from '../../images/colour-profile.ts';
import { embedPngRows } from './png-image.ts';

/** Bytes of an image as uploaded. */
export interface ImageFile {
  readonly bytes: Uint8Array;
  readonly w: number;
  readonly h: number;
}

/** An image that cannot be embedded in a PDF; the message says which and why. */
export class UnreadableImage extends Error {
  override readonly name = 'UnreadableImage';
}

/** Converts a format PDF lacks (WebP, AVIF, GIF, SVG) into PNG bytes. */
export type ToPng = (bytes: Uint8Array) => Promise<Uint8Array>;

export type ImageFormat = 'jpeg' | 'png' | 'other';

export function imageFormat(bytes: Uint8Array): ImageFormat {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  if (bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47) return 'png';
  return 'other';
}

/**
 * Embeds an image with its colour profile: JPEG as it is, PNG with its transparency as a soft mask, others through
 * `toPng`.
 * @throws UnreadableImage naming the image
 */
export async function embedImage(
  context: PDFContext,
  source: string,
  bytes: Uint8Array,
  toPng: ToPng | undefined,
): Promise<PDFRef> {
  try {
    const format = imageFormat(bytes);
    if (format === 'other' && !toPng) throw new Error('only JPEG and PNG can be read here');
    const file = format === 'other' && toPng ? await toPng(bytes) : bytes;
    const ref =
      format === 'jpeg'
        ? await (await JpegEmbedder.for(file)).embedIntoContext(context)
        : (embedPngRows(context, file) ?? (await (await PngEmbedder.for(file)).embedIntoContext(context)));
    const profile = colourProfile(file);
    if (profile) setProfile(context, ref, profile);
    return smooth(context, ref);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const name = source.length > 80 ? `${source.slice(0, 79)}…` : source;
    throw new UnreadableImage(`The image «${name}» could not be put into the PDF: ${reason}.`, {
      cause: error,
    });
  }
}

/** Names of the colour spaces that mean whatever the device makes of them, by the values of a pixel. */
const DEVICE_SPACES = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' } as const;

/** Profiles already in a PDF: those of a camera's photos are all the same. */
const profiles = new WeakMap<PDFContext, { readonly bytes: Uint8Array; readonly ref: PDFRef }[]>();

/** Gives an embedded image the colour space of its profile, if it has as many channels as the image. */
function setProfile(context: PDFContext, ref: PDFRef, { bytes, channels }: ColourProfile): void {
  const stream = context.lookup(ref);
  const device = PDFName.of(DEVICE_SPACES[channels]);
  if (!(stream instanceof PDFStream) || stream.dict.get(PDFName.of('ColorSpace')) !== device) return;
  const known = profiles.get(context) ?? [];
  profiles.set(context, known);
  let found = known.find((one) => sameBytes(one.bytes, bytes));
  if (!found) {
    const made = context.flateStream(bytes, { N: channels, Alternate: device });
    found = { bytes, ref: context.register(made) };
    known.push(found);
  }
  stream.dict.set(PDFName.of('ColorSpace'), context.obj(['ICCBased', found.ref]));
}

/** Asks viewers to interpolate enlarged images. */
function smooth(context: PDFContext, ref: PDFRef): PDFRef {
  const stream = context.lookup(ref);
  if (!(stream instanceof PDFStream)) return ref;
  stream.dict.set(PDFName.of('Interpolate'), PDFBool.True);
  const mask = stream.dict.get(PDFName.of('SMask'));
  if (mask instanceof PDFRef) smooth(context, mask);
  return ref;
}
