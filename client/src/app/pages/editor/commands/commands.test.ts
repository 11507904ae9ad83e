import { beforeEach, expect, it } from 'vitest';
import { layoutSchema } from '../../../../core/scene/layout.ts';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import { runShortcut } from '../../../../ui/commands/keys.ts';
import { COMMANDS } from '../commands.ts';
import { EditorModel } from '../state/editor-store.ts';
import { bind, findZone } from '../state/zones/zones.ts';
import { ADD_ZONE, addDrawn } from './add.ts';
import { BACKWARD, TO_FRONT } from './arrange.ts';
import { DELETE, DUPLICATE, UNDO } from './edit.ts';

let model: EditorModel;
const context = () => ({ model, save: () => undefined });
const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
  runShortcut(
    COMMANDS,
    {
      key,
      code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key,
      ctrlKey: false,
      metaKey: false,
      shiftKey: false,
      altKey: false,
      ...more,
    } as KeyboardEvent,
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
  ADD_ZONE.text.run(context());
  ADD_ZONE.text.run(context());
  ADD_ZONE.image.run(context());
  expect(names()).toEqual(['Text', 'Text 2', 'Image']);
  expect(model.state.selected).toBe(model.state.scene.zones[2]?.id);
});

it('a key lets the pointer draw a zone: as large as it is drawn, written in at once if it is a text', () => {
  expect(press('t')).toBe(true);
  expect([model.state.tool, names()]).toEqual(['text', []]);
  addDrawn(model, { x: 4, y: 5, w: 30, h: 12 });
  const [text] = model.state.scene.zones;
  expect(text).toMatchObject({ kind: 'text', x: 4, y: 5, w: 30, h: 12 });
  expect(model.state).toMatchObject({ tool: null, writing: text?.id, selected: text?.id });
  // A click gives it the size that a button gives it.
  press('s');
  addDrawn(model, { x: 1, y: 2 });
  ADD_ZONE.shape.run(context());
  const [, clicked, added] = model.state.scene.zones;
  expect(clicked).toMatchObject({ x: 1, y: 2, w: added?.w, h: added?.h });
  expect(model.state.writing).toBeNull();
  UNDO.run(context());
  UNDO.run(context());
  UNDO.run(context());
  expect(names()).toEqual([]);
  // Nothing is drawn without the key.
  addDrawn(model, { x: 1, y: 2 });
  expect(names()).toEqual([]);
});

it('arrow keys nudge by half a millimetre, with Shift by five, as one act', () => {
  ADD_ZONE.text.run(context());
  const x = model.state.scene.zones[0]?.x ?? 0;
  expect(press('ArrowRight')).toBe(true);
  press('ArrowRight');
  press('ArrowRight', { shiftKey: true });
  expect(model.state.scene.zones[0]?.x).toBe(x + 6);
  UNDO.run(context());
  expect(model.state.scene.zones[0]?.x).toBe(x);
});

it('leaves locked zones alone', () => {
  ADD_ZONE.text.run(context());
  model.actOn(model.state.selected ?? '', (zone) => {
    zone.locked = true;
  });
  expect(press('ArrowRight')).toBe(false);
  expect(press('Delete')).toBe(false);
  expect(names()).toEqual(['Text']);
});

it('deletes, duplicates, reorders and takes it back', () => {
  ADD_ZONE.text.run(context());
  DUPLICATE.run(context());
  expect(names()).toEqual(['Text', 'Text copy']);
  BACKWARD.run(context());
  expect(names()).toEqual(['Text copy', 'Text']);
  DELETE.run(context());
  expect(names()).toEqual(['Text']);
  press('z', { ctrlKey: true });
  expect(names()).toEqual(['Text copy', 'Text']);
});

it('a copy of a zone with the longest name has one that can be stored', () => {
  ADD_ZONE.text.run(context());
  model.actOn(model.state.selected ?? '', (zone) => {
    zone.name = 'n'.repeat(500);
  });
  DUPLICATE.run(context());
  expect(names()[1]).toMatch(/^n+ copy$/);
  expect(layoutSchema.safeParse(model.state.scene).error?.issues ?? []).toEqual([]);
});

it('a zone nobody has named takes the name of the column that fills it', () => {
  ADD_ZONE.text.run(context());
  const bindTo = (column: string) =>
    model.actOn(model.state.selected ?? '', (zone) => bind(zone, 'text', { mode: 'column', column }));
  bindTo('Rules');
  expect(names()).toEqual(['Rules']);
  bindTo('Flavour');
  expect(names()).toEqual(['Rules']);
  expect(model.state.scene.zones[0]?.bindings.text).toEqual({ mode: 'column', column: 'Flavour' });
});

const place = (index: number) => {
  const { x = 0, y = 0 } = model.state.scene.zones[index] ?? {};
  return [x, y];
};
/** Three shapes of 10 by 10 at these places. */
function shapesAt(...places: readonly (readonly [number, number])[]): void {
  for (const [x, y] of places) {
    ADD_ZONE.shape.run(context());
    model.actOn(model.state.selected ?? '', (zone) => Object.assign(zone, { x, y, w: 10, h: 10 }));
  }
  press('a', { ctrlKey: true });
}

it('every command has a name of its own, and none throws on an empty card', () => {
  expect(new Set(COMMANDS.map(({ id }) => id)).size).toBe(COMMANDS.length);
  expect(new Set(COMMANDS.map(({ label }) => label)).size).toBe(COMMANDS.length);
  for (const command of COMMANDS) if (command.when?.(context()) !== false) command.run(context());
});

it('aligns several among themselves, and one in the card', () => {
  shapesAt([5, 5], [20, 30], [40, 50]);
  press('a', { altKey: true });
  expect([0, 1, 2].map(place)).toEqual([
    [5, 5],
    [5, 30],
    [5, 50],
  ]);
  model.select(model.state.scene.zones[0]?.id ?? '');
  press('d', { altKey: true });
  expect(place(0)).toEqual([53.5, 5]);
});

it('distributes so that the gaps are alike', () => {
  shapesAt([0, 0], [12, 0], [50, 0]);
  press('H', { altKey: true, shiftKey: true });
  expect([0, 1, 2].map((index) => place(index)[0])).toEqual([0, 25, 50]);
});

it('groups and ungroups without moving anything on the card', () => {
  shapesAt([5, 5], [20, 30]);
  press('g', { ctrlKey: true });
  const [group] = model.state.scene.zones;
  expect(group).toMatchObject({ kind: 'container', x: 5, y: 5, w: 25, h: 35 });
  expect(group?.kind === 'container' && group.children.map(({ x, y }) => [x, y])).toEqual([
    [0, 0],
    [15, 25],
  ]);
  press('G', { ctrlKey: true, shiftKey: true });
  expect([0, 1].map(place)).toEqual([
    [5, 5],
    [20, 30],
  ]);
  press('z', { ctrlKey: true });
  press('z', { ctrlKey: true });
  expect(names()).toEqual(['Shape', 'Shape 2']);
});

it('brings several to the front in their own order', () => {
  shapesAt([0, 0], [1, 1], [2, 2]);
  const [a, b] = model.state.scene.zones.map(({ id }) => id);
  model.selectAll([b ?? '', a ?? '']);
  TO_FRONT.run(context());
  expect(names()).toEqual(['Shape 3', 'Shape', 'Shape 2']);
  press('z', { ctrlKey: true });
  expect(names()).toEqual(['Shape', 'Shape 2', 'Shape 3']);
});

it('undo goes back to the blank card, redo to the same bytes', () => {
  const blank = JSON.stringify(model.state.scene);
  shapesAt([5, 5], [20, 30], [40, 50]);
  press('g', { ctrlKey: true });
  DUPLICATE.run(context());
  press('ArrowRight');
  press('s', { altKey: true });
  model.actOn(model.state.selected ?? '', (zone) =>
    bind(zone, 'opacity', { mode: 'formula', formula: 'cost / 10' }),
  );
  const full = JSON.stringify(model.state.scene);
  while (model.state.canUndo) press('z', { ctrlKey: true });
  expect(JSON.stringify(model.state.scene)).toBe(blank);
  while (model.state.canRedo) press('y', { ctrlKey: true });
  expect(JSON.stringify(model.state.scene)).toBe(full);
});

it('copies and groups made while languages differ leave every language as it was', () => {
  ADD_ZONE.text.run(context());
  ADD_ZONE.shape.run(context());
  const [text, shape] = model.state.scene.zones.map(({ id }) => id) as [string, string];
  const place = () =>
    model.state.document.zones.map(({ x, y, languages }) => ({ x, y, ar: languages?.['ar'] }));
  model.actOn(text, (zone) => Object.assign(zone, { x: 5, y: 5, languages: { ar: { x: 30 } } }));
  model.actOn(shape, (zone) => Object.assign(zone, { x: 20, y: 10 }));
  model.showLanguage('ar');
  model.selectAll([text]);
  DUPLICATE.run(context());
  // Beside its original in all languages, and with nothing of the one that is shown in the others.
  expect(place()[1]).toEqual({ x: 8, y: 8, ar: { x: 33 } });
  expect(findZone(model.state.scene, model.state.selected)?.x).toBe(33);
  UNDO.run(context());
  model.selectAll([text, shape]);
  expect(press('g', { ctrlKey: true }) && model.state.document.zones.length).not.toBe(1);
  model.showLanguage(null);
  expect(press('g', { ctrlKey: true })).toBe(true);
  const [group] = model.state.document.zones;
  if (group?.kind !== 'container') throw new Error('no group');
  // It lies at 5, 5: on the card the text stays at 30 in Arabic.
  expect(group.children[0]).toMatchObject({ x: 0, y: 0, languages: { ar: { x: 25 } } });
  expect(press('g', { ctrlKey: true, shiftKey: true })).toBe(true);
  expect(place()[0]).toEqual({ x: 5, y: 5, ar: { x: 30 } });
});
