import { checkPixels, DRAWING_EDGE_PX, NotAnImage } from './file-kind.ts';

/** A converted picture, with its size in pixels. */
export interface Converted {
  readonly blob: Blob;
  readonly w: number;
  readonly h: number;
}

/**
 * Paints a picture of a format that printers do not read, and stores what is seen. An SVG is painted as an
 * image element paints it: its scripts do not run and it loads nothing.
 * @throws NotAnImage when the browser cannot read it
 */
export async function toPng(file: Blob, type: string): Promise<Converted> {
  const url = URL.createObjectURL(new Blob([file], { type }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode().catch(() => {
      throw new NotAnImage('The image is damaged, or this browser cannot read it. Save it as PNG.');
    });
    const [w, h] = type === 'image/svg+xml' ? drawn(image.naturalWidth, image.naturalHeight) : natural(image);
    checkPixels(w, h);
    const canvas = new OffscreenCanvas(w, h);
    const ctx = canvas.getContext('2d');
    if (!ctx) throw new NotAnImage(`No canvas of ${w} × ${h} pixels to convert it on. Save it smaller.`);
    ctx.drawImage(image, 0, 0, w, h);
    const blob = await canvas.convertToBlob({ type: 'image/png' }).catch(() => {
      // Browsers let no page read a canvas with HTML on it, nor one that is larger than their memory.
      throw new NotAnImage(
        type === 'image/svg+xml'
          ? 'The drawing has parts of a web page in it (foreignObject), which no browser lets one copy. Save it without them, or as PNG.'
          : `The image of ${w} × ${h} pixels could not be converted. Save it as PNG.`,
      );
    });
    return { blob, w, h };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Quality of a photo that was turned. */
const JPEG_QUALITY = 0.95;

/** Matrices from a picture of `w` × `h` pixels to its upright form, by EXIF's orientation. */
const TURNS: Readonly<Record<number, (w: number, h: number) => DOMMatrix2DInit>> = {
  2: (w) => ({ a: -1, d: 1, e: w }),
  3: (w, h) => ({ a: -1, d: -1, e: w, f: h }),
  4: (_, h) => ({ a: 1, d: -1, f: h }),
  5: () => ({ a: 0, b: 1, c: 1, d: 0 }),
  6: (_, h) => ({ a: 0, b: 1, c: -1, d: 0, e: h }),
  7: (w, h) => ({ a: 0, b: -1, c: -1, d: 0, e: h, f: w }),
  8: (w) => ({ a: 0, b: -1, c: 1, d: 0, f: w }),
};
/** Orientations from which on width and height change places. */
const FIRST_ON_ITS_SIDE = 5;

/**
 * A picture turned upright, in its own format: JPEG, or PNG for others.
 * @param file without metadata, so that the browser does not turn it, too; one that is damaged has orientation 1 here
 * @throws NotAnImage when the browser cannot read it
 */
export async function upright(file: Blob, orientation: number): Promise<Converted> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new NotAnImage('The image is damaged, or this browser cannot read it. Save it as PNG.');
  });
  try {
    const { width, height } = bitmap;
    const [w, h] = orientation >= FIRST_ON_ITS_SIDE ? [height, width] : [width, height];
    const canvas = new OffscreenCanvas(w, h);
    const ctx = canvas.getContext('2d');
    if (!ctx) throw new NotAnImage(`No canvas of ${w} × ${h} pixels to turn it on. Save it smaller.`);
    ctx.setTransform(TURNS[orientation]?.(width, height) ?? {});
    ctx.drawImage(bitmap, 0, 0);
    const type = file.type === 'image/jpeg' ? file.type : 'image/png';
    return { blob: await canvas.convertToBlob({ type, quality: JPEG_QUALITY }), w, h };
  } finally {
    bitmap.close();
  }
}

const natural = (image: HTMLImageElement): [number, number] => [image.naturalWidth, image.naturalHeight];

/** A drawing has no pixels of its own: it gets enough for print. */
function drawn(w: number, h: number): [number, number] {
  if (w <= 0 || h <= 0) return [DRAWING_EDGE_PX, DRAWING_EDGE_PX];
  const factor = DRAWING_EDGE_PX / Math.max(w, h);
  return [Math.max(1, Math.round(w * factor)), Math.max(1, Math.round(h * factor))];
}
