import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { readFace } from '../../../scripts/fonts.mjs';
import { CELL_KINDS, countOf } from '../../core/board/grid.ts';
import { encodeTerrain } from '../../core/board/terrain-data.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { gridOf } from '../../core/scene/zones/map.ts';
import { newZone, type Zone } from '../../core/scene/zones.ts';
import { pngBytes } from '../../core/testing/images.ts';
import { installCanvas } from '../../headless/canvas.ts';
import { RenderContext } from '../render-context.ts';
import { canvasSize } from './canvas.ts';
import { changedArea } from './changed-area.ts';

/** Cards painted in parts, as the editor does, against cards painted whole. */

const SCALE = 3;
/** Skia smooths edges a little differently where a part cuts them off: blocks of this side in pixels are compared. */
const BLOCK = 4;
/** By at most so much of 255 may a block differ. */
const SMOOTHING = 16;
/** Colours that differ by far more than that. */
const COLORS = ['#d00000', '#00a000', '#0000d0', '#202020'];

const renderContext = new RenderContext(readFace, async () => pngBytes());
beforeAll(async () => expect(await installCanvas('none')).toBeUndefined());

const place = fc.record({ x: fc.integer({ min: 0, max: 30 }), y: fc.integer({ min: 0, max: 30 }) });
const small = fc
  .record({
    at: place,
    kind: fc.constantFrom('shape', 'text'),
    turn: fc.constantFrom(0, 30),
    color: fc.constantFrom('#d04040', '#40a0d0'),
  })
  .map(({ at, kind, turn, color }) => (id: string): Zone => {
    const zone = newZone(kind as 'shape' | 'text', id, id, { ...at, w: 12, h: 9 });
    return {
      ...zone,
      rotation: turn,
      fill: { kind: 'solid', color },
      shadows: [{ dx: 1, dy: 1, blur: 1, spread: 0, color: '#00000080' }],
      ...(zone.kind === 'text' && { text: 'Fox' }),
    } as Zone;
  });
const maps = fc
  .record({
    cells: fc.constantFrom(...CELL_KINDS),
    gap: fc.constantFrom(0, 0.6),
    line: fc.constantFrom(0, 0.4),
    turn: fc.constantFrom(0, 15),
    source: fc.constantFrom('', 'drop.png'),
  })
  .chain(({ cells, gap, line, turn, source }) =>
    fc
      .array(fc.uint8Array({ minLength: 30, maxLength: 30, max: 4 }), { minLength: 2, maxLength: 2 })
      .map((both) =>
        both.map((terrain): Zone => {
          const map = newZone('map', 'map', 'Map', { x: 2, y: 2, w: 40, h: 36 });
          Object.assign(map, { cells, cols: 6, rows: 5, gap, rotation: turn });
          map.cellStroke.width = line;
          for (const [index, terrain] of map.terrains.entries()) terrain.color = COLORS[index] ?? '#ffffff';
          const [, pictured] = map.terrains;
          if (pictured) pictured.source = source;
          expect(countOf(gridOf(map))).toBe(30);
          return { ...map, data: encodeTerrain(gridOf(map), terrain) };
        }),
      ),
  );

/** Two layouts that follow each other in the editor. */
const steps = fc
  .record({ map: maps, zones: fc.array(small, { maxLength: 3 }), moved: fc.array(small, { maxLength: 1 }) })
  .map(({ map: [before, after], zones, moved }): [Layout, Layout] => {
    const base = newLayout('Board', { preset: 'custom', w: 44, h: 40, shape: 'rect', radius: 0 });
    const first = zones.map((make, at) => make(`z${at}`));
    const second = [...moved, ...zones.slice(moved.length)]
      .slice(0, zones.length)
      .map((make, at) => make(`z${at}`));
    return [
      { ...base, zones: before ? [before, ...first] : first },
      { ...base, zones: after ? [after, ...second] : second },
    ];
  });

/** The largest difference between blocks of two pictures, of all colours. */
function mostApart(a: ArrayLike<number>, b: ArrayLike<number>, width: number, height: number): number {
  const sums = new Map<number, number>();
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)];
    const block = ((Math.floor(y / BLOCK) * width + Math.floor(x / BLOCK)) << 2) + (at & 3);
    sums.set(block, (sums.get(block) ?? 0) + (a[at] ?? 0) - (b[at] ?? 0));
  }
  expect(sums.size).toBeGreaterThan(height / BLOCK);
  return Math.max(...[...sums.values()].map((sum) => Math.abs(sum) / BLOCK ** 2));
}

describe('a card painted in parts', () => {
  test('looks as one that is painted whole', async () => {
    let partial = 0;
    await fc.assert(
      fc.asyncProperty(steps, async ([before, after]) => {
        const lists = [];
        for (const layout of [before, after]) lists.push(await renderContext.layOut(layout, { cells: {} }));
        const [was, is] = lists;
        if (!was || !is) throw new Error('nothing laid out');
        const parts = changedArea(was, is);
        if (parts) partial++;
        const { width, height } = canvasSize(is, SCALE, true);
        const ctxOf = () =>
          new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D;
        const [inParts, whole] = [ctxOf(), ctxOf()];
        renderContext.paintNow(inParts, was, { scale: SCALE, bleed: true });
        if (!parts) inParts.clearRect(0, 0, width, height);
        renderContext.paintNow(inParts, is, { scale: SCALE, bleed: true, parts });
        renderContext.paintNow(whole, is, { scale: SCALE, bleed: true });
        const [a, b] = [inParts, whole].map((ctx) => ctx.getImageData(0, 0, width, height).data);
        expect(mostApart(a ?? [], b ?? [], width, height)).toBeLessThanOrEqual(SMOOTHING);
      }),
      { numRuns: 60 },
    );
    expect(partial).toBeGreaterThan(10);
  });

  test('is untouched where nothing changed', async () => {
    const layout = newLayout('Board');
    layout.zones = [newZone('map', 'map', 'Map', { x: 2, y: 2, w: 40, h: 36 })];
    const list = await renderContext.layOut(layout, { cells: {} });
    expect(changedArea(list, structuredClone(list))).toEqual([]);
  });

  test('is painted whole in another size, or with other operations', async () => {
    const layout = newLayout('Board');
    const list = await renderContext.layOut(layout, { cells: {} });
    expect(changedArea(list, { ...list, w: list.w + 1 })).toBeUndefined();
    const more = { ...layout, zones: [newZone('map', 'map', 'Map', { x: 2, y: 2, w: 40, h: 36 })] };
    expect(changedArea(list, await renderContext.layOut(more, { cells: {} }))).toBeUndefined();
  });
});
