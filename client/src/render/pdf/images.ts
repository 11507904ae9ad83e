import {
  JpegEmbedder,
  PDFBool,
  type PDFContext,
  PDFName,
  PDFRef,
  PDFStream,
  PngEmbedder,
} from '@cantoo/pdf-lib';

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
 * Embeds an image: JPEG as it is, PNG with its transparency as a soft mask, others through `toPng`.
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
    if (format === 'jpeg')
      return smooth(context, await (await JpegEmbedder.for(bytes)).embedIntoContext(context));
    if (format === 'other' && !toPng) throw new Error('only JPEG and PNG can be read here');
    const png = format === 'png' || !toPng ? bytes : await toPng(bytes);
    return smooth(context, await (await PngEmbedder.for(png)).embedIntoContext(context));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const name = source.length > 80 ? `${source.slice(0, 79)}…` : source;
    throw new UnreadableImage(`The image «${name}» could not be put into the PDF: ${reason}.`, {
      cause: error,
    });
  }
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
