import { expect, test } from 'vitest';
import { decodeTerrain, terrainNumber } from '../../../../../core/board/terrain-data.ts';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import { gridOf, type MapZone } from '../../../../../core/scene/zones/map.ts';
import { newZone } from '../../../../../core/scene/zones.ts';
import { MAP_TOOL_COMMANDS, STOP_PAINTING } from '../../commands/board.ts';
import { EditorModel } from '../editor-store.ts';
import { deleteTerrain, paintCells, paintedMap, paintingOn, setPainting } from './map-painting.ts';

function model(change: Partial<MapZone> = {}): EditorModel {
  const map = { ...newZone('map', 'm', 'Map', { x: 0, y: 0, w: 50, h: 50 }), ...change };
  const made = new EditorModel({ ...newLayout('Board'), zones: [map] });
  made.select('m');
  return made;
}
const terrainAt = (of: EditorModel, cell: number) => {
  const map = of.state.scene.zones[0] as MapZone;
  return decodeTerrain(gridOf(map), map.data)[cell];
};

test('a stroke is one act, and undo takes the whole of it back', () => {
  const editor = model();
  paintCells(editor, 'm', [1, 2, 3], 'B');
  paintCells(editor, 'm', [2], '');
  expect([1, 2, 3].map((cell) => terrainAt(editor, cell))).toEqual([
    terrainNumber('B'),
    0,
    terrainNumber('B'),
  ]);
  editor.undo();
  expect(terrainAt(editor, 2)).toBe(terrainNumber('B'));
  editor.undo();
  expect([1, 2, 3].map((cell) => terrainAt(editor, cell))).toEqual([0, 0, 0]);
  expect(editor.state.canUndo).toBe(false);
});

test('painting begins with a terrain the map has, and a symmetry its cells can have', () => {
  const editor = model({ cells: 'square' });
  setPainting(editor, { tool: 'fill', terrain: '?', symmetry: 'turn-6' });
  expect(editor.state.painting).toEqual({ tool: 'fill', terrain: 'A', reach: 0, symmetry: 'none' });
  STOP_PAINTING.run({ model: editor, save: () => undefined });
  expect(editor.state.painting).toBeNull();
});

test('a map that is locked, or whose cells the table gives, is not painted', () => {
  for (const change of [
    { locked: true },
    { bindings: { data: { mode: 'column' as const, column: 'Map' } } },
  ]) {
    const editor = model(change);
    expect(paintedMap(editor)).toBeUndefined();
    expect(MAP_TOOL_COMMANDS.brush.when?.({ model: editor, save: () => undefined })).toBe(false);
  }
});

test('a terrain that the map has no more gives way to one that it has', () => {
  const editor = model();
  setPainting(editor, { tool: 'brush', terrain: 'B' });
  deleteTerrain(editor, 'm', 'B');
  const map = editor.state.scene.zones[0] as MapZone;
  const { painting } = editor.state;
  expect(painting && paintingOn(map, painting).terrain).toBe(map.terrains[0]?.symbol);
});

test('a deleted terrain leaves no cells behind, not even empty ones in the text', () => {
  const editor = model();
  paintCells(editor, 'm', [1, 2, 3], 'B');
  deleteTerrain(editor, 'm', 'B');
  expect(editor.state.scene.zones[0]).toMatchObject({ data: '' });
});
