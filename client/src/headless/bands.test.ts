import { PNG } from 'pngjs';
import { beforeAll, expect, test } from 'vitest';
import { readFace } from '../../scripts/fonts.mjs';
import { cardPainting } from '../core/imposition/images/image-files.ts';
import type { Painting } from '../core/imposition/images/painting.ts';
import type { Layout } from '../core/scene/layout.ts';
import { newLayout } from '../core/scene/new-layout.ts';
import { newZone } from '../core/scene/zones.ts';
import { deg } from '../core/units.ts';
import { encodeInBands, encodePainting } from '../render/painting.ts';
import { RenderContext } from '../render/render-context.ts';
import { installCanvas } from './canvas.ts';

beforeAll(async () => {
  expect(await installCanvas(import.meta.dirname)).toBeUndefined();
});

const DPI = 150;
const PNG_FILE = { type: 'image/png', quality: 1, dpi: DPI } as const;
const renderContext = new RenderContext(readFace, async () => undefined);

/** A board with blurs and shadows that reach over every seam. */
function board(): Layout {
  const layout = newLayout('Board', { preset: 'custom', w: 120, h: 90, shape: 'rect', radius: 0 });
  layout.base.fill = { kind: 'solid', color: '#f4e8c8' };
  for (let at = 0; at < 12; at++) {
    const box = { x: (at % 4) * 30 + 2, y: Math.floor(at / 4) * 30 + 2, w: 26, h: 26 };
    const shape = newZone('shape', `s${at}`, 'Shape', box);
    shape.rotation = deg(at * 17);
    shape.fill = { kind: 'solid', color: at % 2 === 0 ? '#a03050' : '#205080' };
    if (at % 3 === 0) shape.filters = [{ kind: 'blur', amount: 2 }];
    if (at % 3 === 1) shape.shadows = [{ dx: 2, dy: 3, blur: 4, spread: 0, color: '#00000080' }];
    const text = newZone('text', `t${at}`, 'Text', box);
    text.text = `Space ${at}`;
    layout.zones.push(shape, text);
  }
  return layout;
}

const painting = (layout: Layout): Painting =>
  cardPainting(
    { layout, columns: [] },
    { cells: {} },
    { dpi: DPI, bleed: 0, clipToTrim: false, opaque: true },
  );

const sizes: { width: number; height: number }[] = [];
const makeCanvas = (width: number, height: number): OffscreenCanvas => {
  sizes.push({ width, height });
  return new OffscreenCanvas(width, height);
};

test('a picture painted in bands is the picture painted at once', async () => {
  const whole = painting(board());
  const once = await encodePainting(renderContext, whole, PNG_FILE, makeCanvas);
  sizes.length = 0;
  const bands = await encodeInBands(renderContext, whole, DPI, makeCanvas, undefined, 50_000);
  const [one, other] = [once, bands].map(({ bytes }) => PNG.sync.read(Buffer.from(bytes)));
  if (!one || !other) throw new Error('no pictures');
  expect([other.width, other.height]).toEqual([whole.width, whole.height]);
  let most = 0;
  for (const [at, value] of one.data.entries())
    most = Math.max(most, Math.abs(value - (other.data[at] ?? 0)));
  // Smoothed edges of leaning shapes differ by a few of 255 levels; a blur that ends at a seam makes tens.
  expect(most).toBeLessThanOrEqual(16);
  expect(bands.issues).toEqual(once.issues);
  // Bands, and canvases with room for the blur around them.
  expect(sizes.length).toBeGreaterThan(6);
  expect(Math.max(...sizes.map(({ height }) => height))).toBeLessThan(whole.height / 2);
});

test('a PNG wider than a canvas is made, a WebP is refused with a way out', async () => {
  const layout = newLayout('Long', { preset: 'custom', w: 500, h: 2, shape: 'rect', radius: 0 });
  layout.base.fill = { kind: 'solid', color: '#123456' };
  const end = newZone('shape', 'end', 'End', { x: 490, y: 0, w: 10, h: 2 });
  end.fill = { kind: 'solid', color: '#ff0000' };
  layout.zones = [end];
  const how = { dpi: 1_000, bleed: 0, clipToTrim: false, opaque: true };
  const long = cardPainting({ layout, columns: [] }, { cells: {} }, how);
  expect(long.width).toBe(19_685);
  sizes.length = 0;
  const { bytes } = await encodePainting(renderContext, long, { ...PNG_FILE, dpi: 1_000 }, makeCanvas);
  expect(Math.max(...sizes.map(({ width }) => width))).toBeLessThanOrEqual(16_384);
  const { data, width, height } = PNG.sync.read(Buffer.from(bytes));
  expect([width, height]).toEqual([long.width, long.height]);
  const pixel = (x: number) => [...data.subarray(4 * (40 * width + x), 4 * (40 * width + x) + 3)];
  expect(pixel(100)).toEqual([0x12, 0x34, 0x56]);
  expect(pixel(16_384)).toEqual([0x12, 0x34, 0x56]);
  expect(pixel(19_600)).toEqual([255, 0, 0]);
  await expect(
    encodePainting(renderContext, long, { ...PNG_FILE, type: 'image/webp' }, makeCanvas),
  ).rejects.toThrow(/WebP ends at 16383 pixels a side, so choose PNG/);
});
