import { beforeEach, expect, it } from 'vitest';
import { MAX_DEPTH } from '../../../../../core/scene/limits.ts';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import { isParent, newZone, type Zone } from '../../../../../core/scene/zones.ts';
import { EditorModel } from '../editor-store.ts';
import { moveLayer } from './move-layer.ts';

const BOX = { x: 10, y: 20, w: 30, h: 30 };
let model: EditorModel;

beforeEach(() => {
  const scene = newLayout('test');
  const group = newZone('container', 'group', 'Group', BOX);
  group.children = [newZone('shape', 'inner', 'Inner', { x: 1, y: 2, w: 5, h: 5 })];
  scene.zones = [
    newZone('shape', 'back', 'Back', { x: 15, y: 25, w: 5, h: 5 }),
    group,
    newZone('shape', 'front', 'Front', { x: 0, y: 0, w: 5, h: 5 }),
  ];
  model = new EditorModel(scene);
});

/** The tree by ids, back to front. */
const tree = (zones: readonly Zone[] = model.state.scene.zones): unknown[] =>
  zones.map((zone) => (isParent(zone) ? [zone.id, tree(zone.children)] : zone.id));

it('puts a layer in front of another and behind it', () => {
  moveLayer(model, 'back', 'front', 'front');
  expect(tree()).toEqual([['group', ['inner']], 'front', 'back']);
  moveLayer(model, 'back', 'group', 'behind');
  expect(tree()).toEqual(['back', ['group', ['inner']], 'front']);
  expect(model.state.selected).toBe('back');
});

it('into a group and out of it, where it lies on the card stays', () => {
  moveLayer(model, 'back', 'group', 'inside');
  expect(tree()).toEqual([['group', ['inner', 'back']], 'front']);
  const [group] = model.state.scene.zones;
  expect(group && isParent(group) && group.children[1]).toMatchObject({ x: 5, y: 5 });
  moveLayer(model, 'inner', 'front', 'behind');
  expect(tree()).toEqual([['group', ['back']], 'inner', 'front']);
  expect(model.state.scene.zones[1]).toMatchObject({ id: 'inner', x: 11, y: 22 });
  model.undo();
  model.undo();
  expect(tree()).toEqual(['back', ['group', ['inner']], 'front']);
});

it('not into itself, not into what holds nothing, not onto what is gone', () => {
  const before = model.state.scene;
  moveLayer(model, 'group', 'group', 'inside');
  moveLayer(model, 'group', 'inner', 'front');
  moveLayer(model, 'back', 'front', 'inside');
  moveLayer(model, 'back', 'nowhere', 'front');
  moveLayer(model, 'nowhere', 'back', 'front');
  expect(model.state.scene).toBe(before);
});

it('no deeper than zones may lie', () => {
  let deepest: Zone = newZone('shape', 'deepest', 'Deepest', BOX);
  for (let depth = MAX_DEPTH - 1; depth > 0; depth--) {
    const around = newZone('container', `level${depth}`, 'Level', BOX);
    around.children = [deepest];
    deepest = around;
  }
  const tower = deepest;
  model.act((scene) => void scene.zones.push(tower));
  const before = model.state.scene;
  moveLayer(model, 'group', 'deepest', 'front');
  expect(model.state.scene).toBe(before);
  moveLayer(model, 'back', 'deepest', 'front');
  expect(model.state.scene).not.toBe(before);
});
