import type { MapZone } from '../src/core/scene/zones/map.ts';
import { canvasSize } from '../src/render/canvas/canvas.ts';
import { RenderContext } from '../src/render/render-context.ts';
import { boardLayout } from './board.ts';
import type { Timing } from './page.ts';

/** The first painting of a board in a browser, run by `bench/board.mjs`. */

const RUNS = 7;
const PX_PER_MM = 2;
/** Side of the picture in the cells, in pixels. */
const PICTURE_PX = 512;

async function picture(): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(PICTURE_PX, PICTURE_PX);
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('no canvas');
  ctx.fillStyle = '#2a9d8f';
  ctx.fillRect(0, 0, PICTURE_PX, PICTURE_PX);
  ctx.fillStyle = '#e9c46a';
  ctx.fillRect(PICTURE_PX / 4, PICTURE_PX / 4, PICTURE_PX / 2, PICTURE_PX / 2);
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
}

/** Times of boards that are each as large as no board before: nothing of them is known yet. */
async function firstPaintings(pictured: boolean): Promise<number[]> {
  const bytes = pictured ? await picture() : undefined;
  const renderContext = new RenderContext(
    async () => new Uint8Array(),
    async () => bytes,
  );
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const layout = boardLayout(560 + run + (pictured ? RUNS : 0));
    if (pictured) {
      for (const terrain of (layout.zones[0] as MapZone).terrains) terrain.source = 'tile.png';
      renderContext.layOutNow(layout, { cells: {} });
      await renderContext.images.loadWanted();
      await renderContext.decode(renderContext.layOutNow(layout, { cells: {} }));
    }
    const start = performance.now();
    const list = renderContext.layOutNow(layout, { cells: {} });
    const canvas = document.createElement('canvas');
    Object.assign(canvas, canvasSize(list, PX_PER_MM, true));
    const ctx = canvas.getContext('2d');
    if (!ctx) throw new Error('no canvas');
    renderContext.paintNow(ctx, list, { scale: PX_PER_MM, bleed: true });
    // Reading a pixel makes the canvas finish its work.
    ctx.getImageData(0, 0, 1, 1);
    times.push(performance.now() - start);
  }
  return times;
}

window.bench = async () => {
  const plain = await firstPaintings(false);
  const pictured = await firstPaintings(true);
  const timing = (value = 0): Timing => ({ p50: Math.round(value * 10) / 10, unit: 'ms' });
  const median = (times: readonly number[]): Timing =>
    timing(times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)]);
  return {
    'layout and painting, the very first': timing(plain[0]),
    'layout and painting of a new board, median': median(plain),
    'painting with a picture in every cell, median': median(pictured),
  };
};
