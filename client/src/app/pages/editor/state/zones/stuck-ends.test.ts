import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainTraits } from '../../../../../core/board/space.ts';
import { networkZones } from '../../../../../core/generators/network-zones.ts';
import { spacesOf } from '../../../../../core/layout/laid-spaces.ts';
import { layoutSchema } from '../../../../../core/scene/layout.ts';
import { withNewIds } from '../../../../../core/scene/new-ids.ts';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import type { PathZone } from '../../../../../core/scene/zones/path.ts';
import { newZone, type Zone, type ZoneOf } from '../../../../../core/scene/zones.ts';
import { EditorModel } from '../editor-store.ts';
import { changePlaces, stickEnd } from '../edits/path-points.ts';
import { settleEnds } from './stuck-ends.ts';
import { allZones, findZone } from './zones.ts';

const EMPTY = { cells: {} };

/** A place by itself, one in a turned group, and a path whose ends are spaces, so that its places can be read. */
function editor(turn = 0): EditorModel {
  const near = newZone('space', 'near', 'Near', { x: 10, y: 10, w: 8, h: 8 });
  const far = newZone('space', 'far', 'Far', { x: 20, y: 5, w: 6, h: 6 });
  const group: ZoneOf<'container'> = {
    ...newZone('container', 'group', 'Group', { x: 50, y: 40, w: 40, h: 30 }),
    arrange: 'free',
    rotation: turn,
    children: [far],
  };
  const path: PathZone = {
    ...newZone('path', 'path', 'Link', { x: 0, y: 0, w: 30, h: 30 }),
    points: [
      { x: 0, y: 0 },
      { x: 1, y: 1 },
    ],
    smooth: false,
    spaces: { count: 2, size: 2, ...plainTraits('spot') },
  };
  return new EditorModel({ ...newLayout('Board'), zones: [path, near, group] });
}
const pathOf = (model: EditorModel) => findZone(model.state.scene, 'path') as PathZone;

/** The ends of the path on the card, and the middles of the two places. */
function placesOn(model: EditorModel) {
  const at = (name: string) => spacesOf(model.state.scene, EMPTY, []).find((space) => space.name === name);
  return { ends: [at('Link 1'), at('Link 2')], places: [at('Near'), at('Far')] };
}

function expectJoined(model: EditorModel): void {
  const { ends, places } = placesOn(model);
  for (const [index, place] of places.entries()) {
    expect(ends[index]?.x).toBeCloseTo(place?.x ?? Number.NaN, 1);
    expect(ends[index]?.y).toBeCloseTo(place?.y ?? Number.NaN, 1);
  }
}

test('a link goes wherever its places go, in turned groups too, and one undo takes both back', () => {
  const length = fc.integer({ min: -30, max: 90 });
  fc.assert(
    fc.property(length, length, length, fc.integer({ min: -180, max: 180 }), (x, y, gx, turn) => {
      const model = editor(turn);
      stickEnd(model, 'path', 'from', 'near');
      stickEnd(model, 'path', 'to', 'far');
      expectJoined(model);
      const before = model.state.scene;
      model.act((scene) => {
        Object.assign(findZone(scene, 'near') as Zone, { x, y });
        Object.assign(findZone(scene, 'group') as Zone, { x: gx, rotation: turn / 2 });
      });
      expectJoined(model);
      model.undo();
      expect(model.state.scene).toEqual(before);
    }),
  );
});

test('an end that is moved by hand comes off its place, and the other one stays', () => {
  const model = editor();
  stickEnd(model, 'path', 'from', 'near');
  stickEnd(model, 'path', 'to', 'far');
  changePlaces(model, 'path', (places) => {
    places[0] = { x: -3, y: -3 };
  });
  expect(pathOf(model).ends).toEqual({ from: '', to: 'far' });
  const { ends } = placesOn(model);
  model.actOn('near', (zone) => {
    zone.x = 70;
  });
  expect(placesOn(model).ends).toEqual(ends);
});

test('a deleted place lets the end lie where it was, and a copied group joins its own places', () => {
  const model = editor();
  stickEnd(model, 'path', 'from', 'near');
  const before = pathOf(model).points;
  model.act((scene) => {
    scene.zones = scene.zones.filter(({ id }) => id !== 'near');
  });
  expect(pathOf(model).points).toEqual(before);
  const group = networkZones(
    { x: 0, y: 0, w: 100, h: 100 },
    { name: 'Town', seed: '1', count: 6, density: 0.5, names: [] },
    {
      colours: ['#ff0000'],
      size: 8,
      link: { color: '#000000', width: 1, dash: 'solid' },
      rim: '#ffffff',
      type: {},
    },
    () => crypto.randomUUID(),
  );
  const [copy = group] = withNewIds([group], () => crypto.randomUUID());
  for (const one of [group, copy]) {
    const own = new Set(allZones([one]).map(({ id }) => id));
    const links = allZones([one]).filter((zone) => zone.kind === 'path');
    expect(links.length).toBeGreaterThan(0);
    for (const { ends } of links) expect([own.has(ends.from), own.has(ends.to)]).toEqual([true, true]);
  }
  // A generated network lies where it should from the start.
  const scene = { ...newLayout('Board'), zones: [group] };
  const settled = structuredClone(scene);
  settleEnds(settled);
  const place = (of: typeof scene) =>
    allZones(of.zones).flatMap((zone) => (zone.kind === 'path' ? [zone.x, zone.y, zone.w, zone.h] : []));
  for (const [at, value] of place(settled).entries()) expect(value).toBeCloseTo(place(scene)[at] ?? 0, 1);
});

test('a path that was stored before its ends could stick lies free', () => {
  const { ends, ...stored } = pathOf(editor());
  expect(ends).toEqual({ from: '', to: '' });
  const read = layoutSchema.parse({ ...newLayout('Board'), zones: [stored] });
  expect(read.zones[0]).toEqual({ ...stored, ends });
});
