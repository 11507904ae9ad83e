import { describe, expect, test } from 'vitest';
import { encodeEdges } from '../core/board/edges.ts';
import { encodeTerrain } from '../core/board/terrain-data.ts';
import { lowInk } from '../core/imposition/sheets/low-ink.ts';
import type { Op } from '../core/scene/display/display-list.ts';
import { newLayout } from '../core/scene/new-layout.ts';
import { gridOf } from '../core/scene/zones/map.ts';
import { newZone } from '../core/scene/zones.ts';
import { checkCard } from '../core/table/preflight.ts';
import { jpegBytes } from '../core/testing/images.ts';
import { boundsOfOps } from './canvas/bounds.ts';
import { makePdf } from './pdf/document.ts';
import { hasTool, nodePdfTools, printJob, run, withPdfFile } from './testing/testing.ts';

const NO_TOOLS = ['qpdf', 'pdftotext'].filter((tool) => !hasTool(tool));
if (NO_TOOLS.length > 0) console.warn(`MAP PDF CHECKS SKIPPED: install ${NO_TOOLS.join(', ')}.`);

function board(cols: number, rows: number) {
  const map = newZone('map', 'm', 'Map', { x: 5, y: 5, w: 150, h: 150 });
  Object.assign(map, { cols, rows });
  const grid = gridOf(map);
  map.data = encodeTerrain(
    grid,
    Uint8Array.from({ length: cols * rows }, (_, cell) => 1 + ((cell * 7 + (cell >> 3)) % 8)),
  );
  const layout = newLayout('Board', { preset: 'custom', w: 160, h: 160, shape: 'rect', radius: 0 });
  return { ...layout, zones: [map] };
}

const row = { cells: {} };

describe('a painted map', () => {
  test('is one path and one stamp a terrain, and one line', async () => {
    const layout = board(30, 30);
    const { layOut } = await nodePdfTools(layout, [row]);
    const list = await layOut(layout, row, []);
    const kinds = list.ops.filter(({ op }) => op === 'path' || op === 'stamp').map(({ op }) => op);
    expect(kinds.filter((op) => op === 'stamp')).toHaveLength(8);
    // The base, eight terrains and the line.
    expect(kinds.filter((op) => op === 'path').length).toBeLessThanOrEqual(10);
  });

  test('has the picture of a terrain once, whatever the number of its cells, and its pattern until it is there', async () => {
    const layout = board(60, 50);
    const [map] = layout.zones;
    const [plain, forest] = map?.terrains ?? [];
    if (!plain || !forest) throw new Error('no terrains');
    plain.source = 'Art/dusk.jpg';
    forest.source = 'Art/gone.png';
    const tools = await nodePdfTools(layout, [row], new Map([['Art/dusk.jpg', jpegBytes()]]));
    const { ops, issues } = await tools.layOut(layout, row, []);
    const stamps = ops.filter((op) => op.op === 'stamp');
    expect(stamps).toHaveLength(8);
    expect(stamps.map(({ image }) => image?.image)).toEqual(['Art/dusk.jpg', ...Array(7)]);
    expect(issues).toMatchObject([{ zone: 'm', code: 'missing-image' }]);
    expect(issues[0]?.message).toContain('Art/gone.png');
    const { bytes } = await makePdf(printJob(layout, [{ row, copies: 1 }]), tools);
    const text = Buffer.from(bytes).toString('latin1');
    expect(text.match(/\/DCTDecode/g)).toHaveLength(1);
    expect(bytes.length).toBeLessThan(jpegBytes().length + 200_000);
  });

  test('keeps its pictures pale where ink is saved, and tells of those that are too coarse', async () => {
    const layout = board(2, 2);
    const [plain] = layout.zones[0]?.terrains ?? [];
    if (plain) plain.source = 'Art/dusk.jpg';
    const { layOut } = await nodePdfTools(layout, [row], new Map([['Art/dusk.jpg', jpegBytes()]]));
    const list = await layOut(layout, row, []);
    const pale = lowInk(list).ops.flatMap((op) => (op.op === 'stamp' && op.image ? [op.image.opacity] : []));
    expect(pale).toEqual([0.25]);
    const sizeOf = () => ({ w: 96, h: 64 });
    expect(checkCard(0, { layout, list, columns: [], sizeOf }).map(({ kind }) => kind)).toEqual([
      'low-resolution',
    ]);
  });

  test('has one more line for each kind of edge that it has, and none for the others', async () => {
    const layout = board(6, 6);
    const [map] = layout.zones;
    if (!map) throw new Error('no map');
    const kinds = new Uint8Array(36 * 6);
    kinds[0] = 1;
    kinds[7] = 3;
    map.edges = encodeEdges(gridOf(map), kinds);
    const { layOut } = await nodePdfTools(layout, [row]);
    const { ops } = await layOut(layout, row, []);
    const strokes = ops.flatMap((op) => (op.op === 'path' && op.stroke ? [op.stroke] : []));
    expect(strokes.map(({ width }) => width)).toEqual([0.2, 1.6, 2.2]);
    expect(strokes.slice(1).map(({ cap }) => cap)).toEqual(['round', 'round']);
  });

  test('has bounds that hold every place of a stamp', () => {
    const stamp: Op = {
      op: 'stamp',
      outline: { kind: 'rect', box: { x: -1, y: -1, w: 2, h: 2 }, radii: [0, 0, 0, 0] },
      fill: { kind: 'solid', color: [0, 0, 0, 1] },
      stroke: null,
      at: [10, 10, 30, 5],
    };
    expect(boundsOfOps([stamp])).toEqual({ x: 9, y: 4, w: 22, h: 7 });
  });

  test.skipIf(NO_TOOLS.length > 0)(
    'is a sound PDF with each pattern once and every name of a cell',
    async () => {
      const layout = board(12, 10);
      const [map] = layout.zones;
      if (map) map.labels = 'A1';
      const { bytes } = await makePdf(
        printJob(layout, [{ row, copies: 1 }]),
        await nodePdfTools(layout, [row]),
      );
      withPdfFile(bytes, (file) => {
        expect(run('qpdf', ['--check', file])).toContain('No syntax or stream encoding errors');
        const words = run('pdftotext', ['-raw', file, '-']).split(/\s+/);
        expect(words).toContain('A1');
        expect(words).toContain('L10');
      });
    },
  );
});
