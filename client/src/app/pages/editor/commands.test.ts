import { beforeEach, expect, it } from 'vitest';
import { newLayout } from '../../../core/scene/defaults.ts';
import { ADD_IMAGE, ADD_TEXT, BACKWARD, COMMANDS, DELETE, DUPLICATE, runShortcut, UNDO } from './commands.ts';
import { EditorModel } from './state/editor-store.ts';
import { bindColumn } from './state/zones.ts';

let model: EditorModel;
const context = () => ({ model, save: () => undefined });
const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
  runShortcut(
    { key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more } as KeyboardEvent,
    context(),
  );
const names = () => model.state.scene.zones.map((zone) => zone.name);

beforeEach(() => {
  model = new EditorModel(newLayout('test'));
});

it('no two commands share a shortcut', () => {
  const keys = COMMANDS.flatMap((command) => command.keys ?? []);
  expect(new Set(keys).size).toBe(keys.length);
});

it('adds zones with names of their own and selects them', () => {
  ADD_TEXT.run(context());
  ADD_TEXT.run(context());
  ADD_IMAGE.run(context());
  expect(names()).toEqual(['Text', 'Text 2', 'Image']);
  expect(model.state.selected).toBe(model.state.scene.zones[2]?.id);
});

it('arrow keys nudge by half a millimetre, with Shift by five, as one act', () => {
  ADD_TEXT.run(context());
  const x = model.state.scene.zones[0]?.x ?? 0;
  expect(press('ArrowRight')).toBe(true);
  press('ArrowRight');
  press('ArrowRight', { shiftKey: true });
  expect(model.state.scene.zones[0]?.x).toBe(x + 6);
  UNDO.run(context());
  expect(model.state.scene.zones[0]?.x).toBe(x);
});

it('leaves locked zones alone', () => {
  ADD_TEXT.run(context());
  model.actOn(model.state.selected ?? '', (zone) => {
    zone.locked = true;
  });
  expect(press('ArrowRight')).toBe(false);
  expect(press('Delete')).toBe(false);
  expect(names()).toEqual(['Text']);
});

it('deletes, duplicates, reorders and takes it back', () => {
  ADD_TEXT.run(context());
  DUPLICATE.run(context());
  expect(names()).toEqual(['Text', 'Text copy']);
  BACKWARD.run(context());
  expect(names()).toEqual(['Text copy', 'Text']);
  DELETE.run(context());
  expect(names()).toEqual(['Text']);
  press('z', { ctrlKey: true });
  expect(names()).toEqual(['Text copy', 'Text']);
});

it('a zone nobody has named takes the name of the column that fills it', () => {
  ADD_TEXT.run(context());
  const bind = (column: string) =>
    model.actOn(model.state.selected ?? '', (zone) => bindColumn(zone, 'text', column));
  bind('Rules');
  expect(names()).toEqual(['Rules']);
  bind('Flavour');
  expect(names()).toEqual(['Rules']);
  expect(model.state.scene.zones[0]?.bindings.text).toEqual({ mode: 'column', column: 'Flavour' });
});
