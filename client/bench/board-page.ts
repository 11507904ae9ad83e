import { canvasSize } from '../src/render/canvas.ts';
import { RenderContext } from '../src/render/render-context.ts';
import { boardLayout } from './board.ts';
import type { Timing } from './page.ts';

/** The first painting of a board in a browser, run by `bench/board.mjs`. */

const RUNS = 7;
const PX_PER_MM = 2;

window.bench = async () => {
  const renderContext = new RenderContext(
    async () => new Uint8Array(),
    async () => undefined,
  );
  const first: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    // Each as large as no board before it: nothing of it is known yet.
    const layout = boardLayout(560 + run);
    const start = performance.now();
    const list = renderContext.layOutNow(layout, { cells: {} });
    const canvas = document.createElement('canvas');
    Object.assign(canvas, canvasSize(list, PX_PER_MM, true));
    const ctx = canvas.getContext('2d');
    if (!ctx) throw new Error('no canvas');
    renderContext.paintNow(ctx, list, { scale: PX_PER_MM, bleed: true });
    // Reading a pixel makes the canvas finish its work.
    ctx.getImageData(0, 0, 1, 1);
    first.push(performance.now() - start);
  }
  const sorted = first.toSorted((a, b) => a - b);
  const timing = (value = 0): Timing => ({ p50: Math.round(value * 10) / 10, unit: 'ms' });
  return {
    'layout and painting, the very first': timing(first[0]),
    'layout and painting of a new board, median': timing(sorted[Math.floor(RUNS / 2)]),
  };
};
