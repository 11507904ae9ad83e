import { checkPixels, DRAWING_EDGE_PX, NotAnImage } from './file-kind.ts';

/** A picture as a PNG, with its size in pixels. */
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
    return { blob: await canvas.convertToBlob({ type: 'image/png' }), w, h };
  } finally {
    URL.revokeObjectURL(url);
  }
}

const natural = (image: HTMLImageElement): [number, number] => [image.naturalWidth, image.naturalHeight];

/** A drawing has no pixels of its own: it gets enough for print. */
function drawn(w: number, h: number): [number, number] {
  if (w <= 0 || h <= 0) return [DRAWING_EDGE_PX, DRAWING_EDGE_PX];
  const factor = DRAWING_EDGE_PX / Math.max(w, h);
  return [Math.max(1, Math.round(w * factor)), Math.max(1, Math.round(h * factor))];
}
