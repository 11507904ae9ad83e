import { beforeAll, expect, test, vi } from 'vitest';
import { readFace } from '../../../scripts/fonts.mjs';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone } from '../../core/scene/zones.ts';
import { installCanvas } from '../../headless/canvas.ts';
import { RenderContext } from '../render-context.ts';
import { ImageRefused, ImageRegistry } from './image-registry.ts';
import { imageSize } from './image-size.ts';

beforeAll(async () => {
  expect(await installCanvas(import.meta.dirname)).toBeUndefined();
});

/** The head of a PNG that says how large it is. */
function pngHead(w: number, h: number): Uint8Array {
  const bytes = new Uint8Array(64);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x89504e47);
  view.setUint32(16, w);
  view.setUint32(20, h);
  return bytes;
}

/** A GIF whose first frame is larger than its screen, behind an extension. */
function gif(screen: number, frame: number): Uint8Array {
  const u16 = (value: number) => [value & 255, value >> 8];
  return new Uint8Array([
    ...Buffer.from('GIF89a'),
    ...[...u16(screen), ...u16(screen), 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
    ...[0x21, 0xf9, 4, 0, 0, 0, 0, 0],
    ...[0x2c, ...u16(0), ...u16(0), ...u16(frame), ...u16(frame), 0],
  ]);
}

test('a picture of too many pixels is not decoded, and the card says why it lacks it', async () => {
  const decode = vi.spyOn(globalThis, 'createImageBitmap');
  const renderContext = new RenderContext(readFace, async () => pngHead(30_000, 30_000));
  const layout = newLayout('large');
  const zone = newZone('image', 'z', 'Art', { x: 0, y: 0, w: 40, h: 40 });
  layout.zones = [{ ...zone, source: 'large.png' }];
  const list = await renderContext.layOut(layout, { cells: {} });
  await renderContext.decode(list);
  expect(decode).not.toHaveBeenCalled();
  expect(list.issues.map(({ message }) => message)).toEqual([
    'The image «large.png» has 30000 × 30000 pixels; the most is 64 megapixels. Save it smaller.',
  ]);
  decode.mockRestore();
});

test('pictures up to the limit have a size; what a reader refuses keeps its reason', async () => {
  const registry = new ImageRegistry(async (source) => {
    if (source === 'other') throw new ImageRefused('lies on another server.');
    return source === 'gif' ? gif(10, 60_000) : pngHead(8_000, 8_000);
  });
  for (const source of ['fits', 'gif', 'other']) registry.size(source);
  await registry.loadWanted();
  expect(registry.size('fits')).toMatchObject({ w: 8_000, h: 8_000 });
  expect([registry.size('gif'), registry.bytes('gif')]).toEqual([undefined, undefined]);
  expect(registry.refusal('gif')).toMatch(/^has 60000 × 60000 pixels/);
  expect(registry.refusal('other')).toBe('lies on another server.');
});

test('a GIF is as large as its screen or its first frame', () => {
  expect(imageSize(gif(10, 5))).toEqual({ w: 10, h: 10 });
  expect(imageSize(gif(10, 500))).toEqual({ w: 500, h: 500 });
  expect(imageSize(gif(10, 500).slice(0, 12))).toEqual({ w: 10, h: 10 });
});
