import { PDFContext } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { readFace } from '../../../scripts/fonts.mjs';
import { cardPainting } from '../../core/imposition/images/image-files.ts';
import type { DisplayList } from '../../core/scene/display/display-list.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone, type Zone } from '../../core/scene/zones.ts';
import { paintOnCanvas } from '../painting.ts';
import { MAX_PIXELS_AT_ONCE, rasterImages } from '../pdf/images/raster.ts';
import { RenderContext } from '../render-context.ts';
import { canvasesOf } from './layers.ts';

const BOX = { x: 0, y: 0, w: 100, h: 100 };
const blurred = (zone: Zone): Zone => ({ ...zone, filters: [{ kind: 'blur', amount: 1 }] });

/** A card with a blurred shape in so many blurred containers. */
function nested(depth: number, side: number): Layout {
  const layout = newLayout('nested', { preset: 'custom', w: side, h: side, shape: 'rect', radius: 0.1 });
  const box = { ...BOX, w: side, h: side };
  const shape = newZone('shape', 'z', 'Zone', box);
  let zone: Zone = blurred({ ...shape, fill: { kind: 'solid', color: '#ff0000' } });
  for (let level = 1; level < depth; level++) {
    zone = blurred({ ...newZone('container', `c${level}`, 'Box', box), children: [zone] });
  }
  layout.zones = [zone];
  return layout;
}

const renderContext = new RenderContext(readFace, async () => undefined);
const laidOut = (layout: Layout): Promise<DisplayList> => renderContext.layOut(layout, { cells: {} });

test('effects inside one another take a canvas each, those beside one another share', async () => {
  expect(canvasesOf((await laidOut(newLayout('plain'))).ops)).toBe(1);
  const { ops } = await laidOut(nested(5, 50));
  expect(canvasesOf(ops)).toBe(6);
  expect(canvasesOf([...ops, ...ops])).toBe(6);
});

test('on paper, effects inside one another get coarser instead of taking all memory', async () => {
  const list = await laidOut(nested(12, 500));
  const sizes: number[] = [];
  const rasterise = async (...[, ops, , width, height]: Parameters<RenderContext['rasterise']>) => {
    sizes.push(width * height * canvasesOf(ops));
    return { width: 1, height: 1, data: new Uint8ClampedArray(4) };
  };
  await rasterImages(list, { x: 0, y: 0, w: 500, h: 500 }, rasterise, PDFContext.create(), new Map(), 600);
  expect(sizes).toHaveLength(1);
  // Pixels are whole.
  expect(sizes[0]).toBeLessThan(1.01 * MAX_PIXELS_AT_ONCE);
});

test('a picture of a card whose effects take too many canvases is refused before one is made', async () => {
  const layout = nested(12, 500);
  const how = { dpi: 600, bleed: 0, clipToTrim: false, opaque: true };
  const painting = cardPainting({ layout, columns: [] }, { cells: {} }, how);
  const made: number[] = [];
  const makeCanvas = (width: number, height: number): OffscreenCanvas => {
    made.push(width * height);
    return { width, height, getContext: () => ({}) } as unknown as OffscreenCanvas;
  };
  await expect(paintOnCanvas(renderContext, { ...painting, background: null }, makeCanvas)).rejects.toThrow(
    /its effects take \d+ canvases at once.*Choose a lower resolution/,
  );
  // The painting's own canvas.
  expect(made).toHaveLength(1);
});
