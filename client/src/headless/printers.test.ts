import { PNG } from 'pngjs';
import { beforeAll, expect, test } from 'vitest';
import { readFace } from '../../scripts/fonts.mjs';
import { printerEntries } from '../core/printers/printer-job.ts';
import { PRODUCTS } from '../core/printers/products.ts';
import { newLayout } from '../core/scene/new-layout.ts';
import { newZone } from '../core/scene/zones.ts';
import { encodeCanvas, paintOnCanvas } from '../render/painting.ts';
import { RenderContext } from '../render/render-context.ts';
import { installCanvas } from './canvas.ts';

const CUT_MARK = [255, 0, 0];

beforeAll(async () => {
  expect(await installCanvas(import.meta.dirname)).toBeUndefined();
});

test.each(PRODUCTS.map((product) => [product.id, product] as const))(
  '%s: the file has the canvas of the table to the pixel, bleed to its edges and the card in its middle',
  async (_, product) => {
    const layout = newLayout('front', {
      preset: 'custom',
      w: product.w,
      h: product.h,
      shape: 'rounded',
      radius: 3,
    });
    layout.base.fill = { kind: 'solid', color: '#0000ff' };
    const middle = newZone('shape', 'm', 'Middle', {
      x: product.w / 2 - 1,
      y: product.h / 2 - 1,
      w: 2,
      h: 2,
    });
    middle.fill = { kind: 'solid', color: '#ff0000' };
    layout.zones = [middle];
    const part = {
      name: 'Cards',
      layout,
      back: null,
      columns: [],
      cards: [{ row: { cells: {} }, copies: 1 }],
    };
    const [entry] = printerEntries(part, product);
    if (entry?.kind !== 'painting') throw new Error('no picture');
    const renderContext = new RenderContext(readFace, async () => undefined);
    const { canvas } = await paintOnCanvas(
      renderContext,
      entry.painting,
      (w, h) => new OffscreenCanvas(w, h),
    );
    const { width, height, data } = PNG.sync.read(Buffer.from(await encodeCanvas(canvas, entry.encoding)));
    expect({ width, height }).toEqual(product.canvas);
    const at = (x: number, y: number) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
    for (const [x, y] of [
      [0, 0],
      [width - 1, 0],
      [0, height - 1],
      [width - 1, height - 1],
    ] as const) {
      expect(at(x, y)).toEqual([0, 0, 255, 255]);
    }
    expect(at(width >> 1, height >> 1).slice(0, 3)).toEqual(CUT_MARK);
  },
  60_000,
);
