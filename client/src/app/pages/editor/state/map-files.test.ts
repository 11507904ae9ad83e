import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readTiled } from '../../../../core/board/tiled/read-tiled.ts';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import { type MapZone, placedGridOf } from '../../../../core/scene/zones/map.ts';
import { newZone } from '../../../../core/scene/zones.ts';
import { EditorModel } from './editor-store.ts';
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
