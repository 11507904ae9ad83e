import { PNG } from 'pngjs';
import { beforeAll, expect, test } from 'vitest';
import { readFace } from '../../scripts/fonts.mjs';
import { cardPainting } from '../core/imposition/images/image-files.ts';
import { newLayout } from '../core/scene/new-layout.ts';
import type { Mask } from '../core/scene/style/paint.ts';
import { newZone } from '../core/scene/zones.ts';
import type { ReadImage } from '../render/images/image-registry.ts';
import { encodeCanvas, paintOnCanvas } from '../render/painting.ts';
import { RenderContext } from '../render/render-context.ts';
import { installCanvas } from './canvas.ts';

beforeAll(async () => {
  expect(await installCanvas(import.meta.dirname)).toBeUndefined();
});

/** An image of columns, each opaque white, opaque black or transparent. */
function columns(kinds: string): Uint8Array {
  const png = new PNG({ width: 10 * kinds.length, height: 40 });
  for (let at = 0; at < png.width * png.height; at++) {
    const kind = kinds[Math.floor((at % png.width) / 10)];
    png.data.set(kind === 'w' ? [255, 255, 255, 255] : [0, 0, 0, kind === 'b' ? 255 : 0], 4 * at);
  }
  return PNG.sync.write(png);
}

/** Quarters of a red card of 40 mm that a mask leaves, left to right: `#` seen, `.` not. */
async function seen(mask: Omit<Mask, 'source'>, image: ReadImage): Promise<string> {
  const layout = newLayout('mask', { preset: 'custom', w: 40, h: 40, shape: 'rect', radius: 0.1 });
  const zone = newZone('shape', 'z', 'Zone', { x: 0, y: 0, w: 40, h: 40 });
  layout.base.fill = { kind: 'solid', color: '#ffffff' };
  layout.zones = [{ ...zone, fill: { kind: 'solid', color: '#ff0000' }, mask: { source: 'm.png', ...mask } }];
  const renderContext = new RenderContext(readFace, async () => image);
  const how = { dpi: 25.4, bleed: 0, clipToTrim: false, opaque: true };
  const painting = cardPainting({ layout, columns: [] }, { cells: {} }, how);
  const { canvas, issues } = await paintOnCanvas(
    renderContext,
    painting,
    (w, h) => new OffscreenCanvas(w, h),
  );
  expect(issues).toEqual([]);
  const encoding = { type: 'image/png', quality: 1, dpi: 25.4 } as const;
  const { data, width } = PNG.sync.read(Buffer.from(await encodeCanvas(canvas, encoding)));
  return [5, 15, 25, 35].map((x) => (data[4 * (20 * width + x) + 1] === 0 ? '#' : '.')).join('');
}

test.each([
  ['alpha', 'b'],
  ['brightness', 'w'],
] as const)('a mask by %s keeps to the crop and the point of focus of its image', async (by, on) => {
  const bytes = columns(`..${on}${on}....`.replaceAll('.', by === 'alpha' ? ' ' : 'b'));
  // Eight columns over four quarters: one quarter shows.
  expect(await seen({ by, fit: 'stretch' }, { bytes })).toBe('.#..');
  // Only the cropped part of the image lies over the zone.
  expect(await seen({ by, fit: 'stretch' }, { bytes, crop: { x: 0.25, y: 0, w: 0.5, h: 1 } })).toBe('##..');
  // Four columns of a cover show: the middle ones, the first ones, and those of a crop.
  const whole = { by, fit: 'cover' } as const;
  expect(await seen(whole, { bytes })).toBe('##..');
  expect(await seen(whole, { bytes, focus: { x: 0, y: 0.5 } })).toBe('..##');
  expect(await seen(whole, { bytes, crop: { x: 0.375, y: 0, w: 0.5, h: 1 } })).toBe('#...');
});
