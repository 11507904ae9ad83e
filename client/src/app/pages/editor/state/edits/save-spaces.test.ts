import { expect, test } from 'vitest';
import { spacesOf } from '../../../../../core/layout/laid-spaces.ts';
import { EMPTY_ROW } from '../../../../../core/scene/card/row.ts';
import { layoutSchema } from '../../../../../core/scene/layout.ts';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import { newZone } from '../../../../../core/scene/zones.ts';
import { boardScript } from '../../../../../core/tabletop/board-spaces.ts';
import type { TtsObject } from '../../../../../core/tabletop/save.ts';
import { EditorModel } from '../editor-store.ts';
import { addSavedSpaces } from './save-spaces.ts';

function model(): EditorModel {
  const layout = newLayout('Board', { preset: 'custom', w: 200, h: 100, shape: 'rect', radius: 0 });
  layout.zones = [
    newZone('space', 'a', 'Space 1', { x: 10, y: 10, w: 20, h: 20 }),
    newZone('space', 'b', 'Port', { x: 150, y: 60, w: 20, h: 20 }),
  ];
  return new EditorModel(layout);
}

/** The board in a save: 20 mm are a unit of the game, whose own x runs to the left. */
function board({ state }: EditorModel, added: readonly (readonly [number, number])[] = []): TtsObject {
  const spaces = spacesOf(state.scene, EMPTY_ROW, []);
  const places = [...spaces.map(({ x, y }) => [x, y] as const), ...added];
  return {
    Name: 'Custom_Board',
    Nickname: 'Isle',
    LuaScript: boardScript(spaces, state.scene.size),
    AttachedSnapPoints: places.map(([x, y]) => ({
      Position: { x: (100 - x) / 20, y: 0.1, z: (y - 50) / 20 },
      Rotation: { x: 0, y: 30, z: 0 },
      Tags: ['Card'],
    })),
  };
}
const saveOf = (...objects: TtsObject[]) => JSON.stringify({ ObjectStates: objects });

test('snap points that were added in the game become spaces, as one undo; those that are there stay', () => {
  const editor = model();
  const before = editor.state.scene;
  const text = saveOf({ Name: 'Custom_Board', Nickname: 'Other' }, board(editor, [[40, 77.7]]));
  expect(addSavedSpaces(editor, text)).toEqual({ board: 'Isle', added: 1, known: 2, outside: 0, left: 0 });
  const spaces = spacesOf(editor.state.scene, EMPTY_ROW, []);
  expect(spaces).toHaveLength(3);
  expect(spaces[2]).toMatchObject({ name: 'Space 3', role: 'spot', piecesTurn: 30, accepts: ['card'] });
  expect(Math.hypot((spaces[2]?.x ?? 0) - 40, (spaces[2]?.y ?? 0) - 77.7)).toBeLessThan(0.1);
  editor.undo();
  expect(editor.state.scene.zones).toEqual(before.zones);
});

test('a save that says nothing new changes nothing, and one without a board of ours is refused', () => {
  const editor = model();
  const { scene } = editor.state;
  expect(addSavedSpaces(editor, saveOf(board(editor))).added).toBe(0);
  expect(editor.state.scene).toBe(scene);
  expect(() => addSavedSpaces(editor, saveOf({ Name: 'Custom_Board' }))).toThrow(/exported from here/);
  expect(() => addSavedSpaces(editor, 'x')).toThrow(/not JSON/);
});

test('more points than a layout has room for are counted', () => {
  const editor = model();
  const many = Array.from(
    { length: 600 },
    (_, at) => [(at % 30) * 6 + 2, Math.floor(at / 30) * 4 + 1] as const,
  );
  const { added, known, left } = addSavedSpaces(editor, saveOf(board(editor, many)));
  expect([added, known + added + left]).toEqual([498, 602]);
});

test('points far outside of the board are left out, so that the layout can be stored and opened again', () => {
  const editor = model();
  const far = [[-1e9, 10] as const, [10, 1e300] as const, [500, 50] as const];
  const object = board(editor, [[40, 70], ...far]);
  const turned = object.AttachedSnapPoints?.map((point) => ({ ...point, Rotation: { x: 0, y: 1e6, z: 0 } }));
  const text = saveOf({ ...object, ...(turned && { AttachedSnapPoints: turned }) });
  expect(addSavedSpaces(editor, text)).toEqual({ board: 'Isle', added: 1, known: 2, outside: 3, left: 0 });
  expect(layoutSchema.safeParse(editor.state.scene).error?.issues ?? []).toEqual([]);
  const digits = '9'.repeat(400);
  const script = `{0.1,0.1,${digits},true},\n{0.1,-${digits},0,true},\n{0.2,0.2,0,true}`;
  addSavedSpaces(editor, saveOf({ Name: 'Custom_Board', LuaScript: script }));
  expect(layoutSchema.safeParse(editor.state.scene).error?.issues ?? []).toEqual([]);
});
