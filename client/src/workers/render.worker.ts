import { canvasSize } from '../render/canvas.ts';
import { Stage } from '../render/stage.ts';
import type { RenderMethods } from './protocol.ts';
import { type Endpoint, serve } from './rpc.ts';
import { fetchFace, imageReader } from './sources.ts';

/** Largest side of a picture in pixels; canvases beyond it fail without saying so. */
const MAX_SIDE_PX = 8_192;

const named = new Map<string, Blob>();
const stage = new Stage(fetchFace, (source) => imageReader(named)(source));

serve<RenderMethods>(self as unknown as Endpoint, {
  renderCard: async ({ layout, row, columns, images, pxPerMm, bleed = false, cut = false }) => {
    for (const [name, blob] of images ?? []) {
      if (!named.has(name)) stage.images.forget(name);
      named.set(name, blob);
    }
    const list = await stage.layOut(layout, row, columns);
    const { width, height } = canvasSize(list, pxPerMm, bleed);
    if (Math.max(width, height) > MAX_SIDE_PX) {
      throw new RangeError(
        `A picture of ${width} by ${height} pixels is too large: the most is ${MAX_SIDE_PX} a side.`,
      );
    }
    const canvas = new OffscreenCanvas(width, height);
    const ctx = canvas.getContext('2d');
    if (!ctx) throw new Error(`No canvas of ${width} by ${height} pixels.`);
    await stage.paint(ctx, list, { scale: pxPerMm, bleed, cut });
    const bitmap = canvas.transferToImageBitmap();
    return { value: { bitmap, issues: list.issues }, transfer: [bitmap] };
  },
});
