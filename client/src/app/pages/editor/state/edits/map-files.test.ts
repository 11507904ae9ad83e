import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { boardOfTiled } from '../../../../../core/board/tiled/board-of-tiled.ts';
import { readTiled } from '../../../../../core/board/tiled/read-tiled.ts';
import { spacesOf } from '../../../../../core/layout/laid-spaces.ts';
import { EMPTY_ROW } from '../../../../../core/scene/card/row.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import { type MapZone, placedGridOf } from '../../../../../core/scene/zones/map.ts';
import { newZone } from '../../../../../core/scene/zones.ts';
import { EditorModel } from '../editor-store.ts';
import { cellsFile, openCells, tiledFile } from './map-files.ts';

function model(): EditorModel {
  const map = { ...newZone('map', 'm', 'Map', { x: 10, y: 20, w: 90, h: 60 }), data: '3A2B/.C' };
  const space = {
    ...newZone('space', 's', 'Harbour', { x: 30, y: 40, w: 12, h: 12 }),
    role: 'area' as const,
  };
  const made = new EditorModel({ ...newLayout('Board'), zones: [map, space] });
  made.select('m');
  return made;
}
const mapOf = (of: EditorModel) => of.state.scene.zones[0] as MapZone;

test('cells go out and come in again, and undo takes the whole file back', async () => {
  const editor = model();
  const before = mapOf(editor);
  const { pitch } = placedGridOf(before, before);
  const text = await cellsFile(before).text();
  expect(openCells(editor, before, text)).toEqual([]);
  expect(mapOf(editor).data).toBe(before.data);
  expect(openCells(editor, before, 'Plain,Lava\nForest')).toEqual(['Lava']);
  const after = mapOf(editor);
  expect(after).toMatchObject({ cols: 2, rows: 2, data: 'AI/B' });
  expect(placedGridOf(after, after).pitch).toBeCloseTo(pitch, 6);
  editor.undo();
  expect(mapOf(editor)).toMatchObject({ cols: before.cols, rows: before.rows, data: before.data });
});

test('the file for Tiled has the map, its tiles and the spaces that lie over it', async () => {
  const { scene } = model().state;
  const bytes = new Uint8Array(
    await (await tiledFile(scene, scene.zones[0] as MapZone, 'Island')).arrayBuffer(),
  );
  const files = unzipSync(bytes);
  expect(Object.keys(files)).toEqual(['Island.tmj', 'Island.tmx', 'terrains.png']);
  const read = readTiled(JSON.parse(new TextDecoder().decode(files['Island.tmj'])));
  expect(read.terrains.map(({ name }) => name)).toEqual(['Plain', 'Forest', 'Hills']);
  expect(read.data).toBe('3A2B/.C');
  expect(read.spaces.map(({ name, role }) => [name, role])).toEqual([['Harbour', 'area']]);
  const png = files['terrains.png'];
  // Eight tiles of 48 pixels.
  expect(png && new DataView(png.buffer, png.byteOffset).getUint32(16)).toBe(8 * 48);
});

test('spaces keep their angle, their pieces and their links through a file of Tiled, also inside of groups', async () => {
  const map: MapZone = { ...newZone('map', 'm', 'Map', { x: 10, y: 20, w: 90, h: 60 }), cells: 'square' };
  const fort = {
    ...newZone('space', 'a', 'Fort', { x: 5, y: 5, w: 12, h: 8 }),
    ...{ rotation: 30, turning: 'angle' as const, turn: 45, order: 2, holds: 3, accepts: ['token' as const] },
    links: ['b'],
  };
  const group = {
    ...newZone('container', 'g', 'Group', { x: 40, y: 40, w: 40, h: 30 }),
    arrange: 'free' as const,
    rotation: 10,
    children: [fort],
  };
  const port = newZone('space', 'b', 'Port', { x: 20, y: 30, w: 12, h: 12 });
  const scene = { ...newLayout('Board'), zones: [map, group, port] };
  const bytes = new Uint8Array(await (await tiledFile(scene, map, 'Island')).arrayBuffer());
  const text = new TextDecoder().decode(unzipSync(bytes)['Island.tmj']);
  const back = boardOfTiled('Island', readTiled(JSON.parse(text)), () => crypto.randomUUID());
  const [from, to] = [scene, back].map((board) =>
    spacesOf(board, EMPTY_ROW, []).filter(({ name }) => /Fort|Port/.test(name)),
  );
  const cells = (board: Layout) => {
    const zone = board.zones.find(({ kind }) => kind === 'map') as MapZone;
    const grid = placedGridOf(zone, zone);
    return { x: grid.x, y: grid.y, pitch: grid.pitch };
  };
  const [was, is] = [cells(scene), cells(back)];
  for (const [at, space] of (from ?? []).entries()) {
    const read = to?.[at];
    // The board of a file has cells of its own size.
    expect((Number(read?.x) - is.x) / is.pitch).toBeCloseTo((space.x - was.x) / was.pitch, 2);
    expect((Number(read?.y) - is.y) / is.pitch).toBeCloseTo((space.y - was.y) / was.pitch, 2);
    const { name, role, turn, piecesTurn, order, holds, accepts } = space;
    expect(read).toMatchObject({ name, role, turn, piecesTurn, order, holds, accepts });
  }
  expect(to?.[0]?.links).toEqual([to?.[1]?.zone]);
});
