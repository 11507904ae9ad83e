import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layoutSchema } from '../../../../core/scene/layout.ts';
import { withNewIds } from '../../../../core/scene/new-ids.ts';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import { newZoneId } from '../new-zone-id.ts';
import { EditorModel } from '../state/editor-store.ts';
import { allZones, findZone } from '../state/zones/zones.ts';
import { goesOn, regenerate, startGeneration } from './generation.ts';
import { GENERATORS } from './generators.ts';

const BOARD = { preset: 'custom', w: 254, h: 254, shape: 'rect' as const, radius: 0 };

const TRACK_AT = GENERATORS.findIndex(({ id }) => id === 'track');

function started(at = TRACK_AT) {
  const model = new EditorModel(newLayout('Board', BOARD));
  const generator = GENERATORS[at];
  if (!generator) throw new Error('no such generator');
  startGeneration(model, generator);
  const { generation } = model.state;
  if (!generation) throw new Error('nothing was made');
  return { model, generator, generation };
}

/** The group that was made. */
function groupOf(model: EditorModel, id: string) {
  const group = findZone(model.state.scene, id);
  if (group?.kind !== 'container') throw new Error('no group');
  return group;
}

test.each(GENERATORS.map(({ name }, at) => [name, at] as const))(
  '%s begins on the board, selected',
  (_, at) => {
    const { model, generation } = started(at);
    expect(model.state.selected).toBe(generation.zone);
    const zone = findZone(model.state.scene, generation.zone);
    if (!zone) throw new Error('nothing was made');
    const { x, y, w, h } = zone;
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(Math.max(x + w, y + h)).toBeLessThanOrEqual(254);
    expect(zone.kind === 'container' ? zone.children.length : zone.w).toBeGreaterThan(2);
    expect(goesOn(model, generation)).toBe(true);
  },
);

test('it follows its settings where it was moved to, and all of it is one undo', () => {
  const { model, generation } = started();
  const settings = generation.settings as { count: number };
  regenerate(model, generation, { ...settings, count: 12 });
  const twelve = model.state.generation;
  if (!twelve) throw new Error('nothing was made');
  expect(groupOf(model, twelve.zone).children.filter(({ kind }) => kind === 'space')).toHaveLength(12);
  model.undo();
  expect(model.state.scene.zones).toEqual([]);
  model.redo();
  const again = model.state.generation;
  expect(again && groupOf(model, again.zone).children.length).toBe(24);
});

test('a moved group stays where it is when a setting changes', () => {
  const { model, generation } = started();
  model.actOn(generation.zone, (zone) => {
    zone.x = 3;
  });
  expect(goesOn(model, generation)).toBe(true);
  regenerate(model, generation, generation.settings);
  expect(groupOf(model, generation.zone).x).toBe(3);
});

test('zones that somebody has changed are no longer replaced', () => {
  const { model, generation } = started();
  const [first] = groupOf(model, generation.zone).children;
  model.actOn(first?.id ?? '', (zone) => {
    zone.name = 'Harbour';
  });
  expect(goesOn(model, generation)).toBe(false);
});

test('places of a track have names of their own, however few of them are numbered', () => {
  const { model, generation } = started();
  const settings = generation.settings as object;
  for (const numbers of [
    { from: 0, step: 1, every: 5 },
    { from: 7, step: 0, every: 1 },
    { from: 10, step: -5, every: 2 },
  ]) {
    regenerate(model, model.state.generation ?? generation, { ...settings, ...numbers });
    const spaces = groupOf(model, generation.zone).children.filter(({ kind }) => kind === 'space');
    expect(new Set(spaces.map(({ name }) => name)).size).toBe(spaces.length);
  }
});

test('whatever is made under a long name, or with a formula of long texts, can be stored and opened again', () => {
  for (let at = 0; at < GENERATORS.length; at++) {
    const { model, generation } = started(at);
    regenerate(model, generation, {
      ...(generation.settings as object),
      name: 'n'.repeat(500),
      by: 'formula',
      formula: `'${'👑'.repeat(450)}' + n`,
    });
    expect(layoutSchema.safeParse(model.state.scene).error?.issues ?? []).toEqual([]);
  }
});

test('whatever is made, changed, moved and taken back in turn, ids stay apart and undo leads back to nothing', () => {
  const step = fc.record({
    what: fc.constantFrom('start', 'set', 'set', 'move', 'undo', 'redo', 'duplicate'),
    at: fc.nat(GENERATORS.length - 1),
    count: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      const model = new EditorModel(newLayout('Board', BOARD));
      for (const { what, at, count } of steps) {
        const { generation } = model.state;
        const [generator] = GENERATORS.slice(at);
        if (what === 'start' && generator) startGeneration(model, generator);
        if (what === 'undo') model.undo();
        if (what === 'redo') model.redo();
        if (!generation) continue;
        if (what === 'set' && goesOn(model, generation))
          regenerate(model, generation, {
            ...(generation.settings as object),
            count,
            seed: `${count}`,
          });
        if (what === 'move') {
          model.actOn(generation.zone, (zone) => {
            zone.x += count;
          });
        }
        if (what === 'duplicate') {
          const zone = findZone(model.state.scene, generation.zone);
          const copies = zone ? withNewIds([zone], newZoneId) : [];
          model.act((draft) => void draft.zones.push(...copies));
        }
        const all = allZones(model.state.scene.zones);
        expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
        const here = new Set(all.map(({ id }) => id));
        for (const zone of all) {
          if (zone.kind === 'space') for (const id of zone.links) expect(here.has(id)).toBe(true);
        }
      }
      expect(layoutSchema.safeParse(model.state.scene).error).toBeUndefined();
      for (let at = 0; at < 40; at++) model.undo();
      expect(model.state.scene.zones).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
