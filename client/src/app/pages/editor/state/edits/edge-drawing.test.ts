import { expect, test } from 'vitest';
import { decodeEdges } from '../../../../../core/board/edges.ts';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import { gridOf, type MapZone } from '../../../../../core/scene/zones/map.ts';
import { newZone } from '../../../../../core/scene/zones.ts';
import { EDGE_TOOL_COMMANDS, MAP_TOOL_COMMANDS, STOP_PAINTING } from '../../commands/board.ts';
import { EditorModel } from '../editor-store.ts';
import { deleteEdgeKind, drawEdges, edgedMap, setDrawing, withSymmetric } from './edge-drawing.ts';

function model(change: Partial<MapZone> = {}): EditorModel {
  const map = { ...newZone('map', 'm', 'Map', { x: 0, y: 0, w: 50, h: 50 }), ...change };
  const made = new EditorModel({ ...newLayout('Board'), zones: [map] });
  made.select('m');
  return made;
}
const mapOf = (of: EditorModel) => of.state.scene.zones[0] as MapZone;
const kindAt = (of: EditorModel, edge: number) => decodeEdges(gridOf(mapOf(of)), mapOf(of).edges)[edge];
const context = (of: EditorModel) => ({ model: of, save: () => undefined });

test('a line is one act, and undo takes the whole of it back', () => {
  const editor = model();
  drawEdges(editor, 'm', [0, 1, 2], 'B');
  drawEdges(editor, 'm', [1], '');
  expect([0, 1, 2].map((edge) => kindAt(editor, edge))).toEqual([2, 0, 2]);
  editor.undo();
  editor.undo();
  expect(mapOf(editor).edges).toBe('');
  expect(editor.state.canUndo).toBe(false);
});

test('a kind that is deleted takes its lines along and leaves the others', () => {
  const editor = model();
  drawEdges(editor, 'm', [0, 1], 'A');
  drawEdges(editor, 'm', [2], 'C');
  deleteEdgeKind(editor, 'm', 'A');
  expect([0, 1, 2].map((edge) => kindAt(editor, edge))).toEqual([0, 0, 3]);
  expect(mapOf(editor).edgeKinds.map(({ name }) => name)).not.toContain('River');
});

test('painting cells ends drawing along edges, and the other way around', () => {
  const editor = model();
  EDGE_TOOL_COMMANDS.draw.run(context(editor));
  expect(editor.state.drawing).toEqual({ erases: false, kind: 'A', symmetry: 'none' });
  MAP_TOOL_COMMANDS.brush.run(context(editor));
  expect(editor.state).toMatchObject({ drawing: null, painting: { tool: 'brush' } });
  EDGE_TOOL_COMMANDS.erase.run(context(editor));
  expect(editor.state).toMatchObject({ drawing: { erases: true }, painting: null });
  STOP_PAINTING.run(context(editor));
  expect(editor.state.drawing).toBeNull();
});

test('a map that is locked, or whose edges the table gives, is not drawn on', () => {
  for (const change of [
    { locked: true },
    { bindings: { edges: { mode: 'column' as const, column: 'Edges' } } },
  ]) {
    const editor = model(change);
    expect(edgedMap(editor)).toBeUndefined();
    setDrawing(editor, { erases: false });
    expect(editor.state.drawing).toBeNull();
    expect(EDGE_TOOL_COMMANDS.draw.when?.(context(editor))).toBe(false);
  }
});

test('lines are drawn with those that correspond to them, by a symmetry that the cells can have', () => {
  const editor = model({ cells: 'square', cols: 4, rows: 4 });
  setDrawing(editor, { symmetry: 'turn-4' });
  const { drawing } = editor.state;
  if (!drawing) throw new Error('nothing is drawn');
  // The upper side of the first cell is the right one of the last in its row, and so on.
  expect(withSymmetric(mapOf(editor), [0], drawing).sort((a, b) => a - b)).toEqual([0, 13, 51, 62]);
  editor.actOn<MapZone>('m', (map) => {
    map.cells = 'hex-pointy';
  });
  setDrawing(editor, {});
  expect(editor.state.drawing?.symmetry).toBe('none');
});
