import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import { MAX_PATH_POINTS, type PathZone } from '../../../../../core/scene/zones/path.ts';
import { newZone } from '../../../../../core/scene/zones.ts';
import { EditorModel } from '../editor-store.ts';
import { placesOf, setPlaces } from '../zones/path-places.ts';
import { changePlaces, editedPath } from './path-points.ts';

const path = (): PathZone => newZone('path', 'p', 'River', { x: 10, y: 20, w: 100, h: 50 });
const point = fc.record({ x: fc.integer({ min: -200, max: 200 }), y: fc.integer({ min: -200, max: 200 }) });

test('points stay where they are put, and the box lies around them', () => {
  fc.assert(
    fc.property(fc.array(point, { minLength: 2, maxLength: 12 }), (places) => {
      const zone = path();
      setPlaces(zone, places);
      for (const [at, { x, y }] of placesOf(zone).entries()) {
        expect(zone.x + x).toBeCloseTo(10 + (places[at]?.x ?? 0), 1);
        expect(zone.y + y).toBeCloseTo(20 + (places[at]?.y ?? 0), 1);
      }
      for (const { x, y } of zone.points) {
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
        expect(Math.max(x, y)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('a turned path keeps its box, about whose middle it turns', () => {
  const zone = { ...path(), rotation: 30 as PathZone['rotation'] };
  setPlaces(zone, [
    { x: -10, y: 0 },
    { x: 120, y: 60 },
  ]);
  expect([zone.x, zone.y, zone.w, zone.h]).toEqual([10, 20, 100, 50]);
  expect(zone.points).toEqual([
    { x: -0.1, y: 0 },
    { x: 1.2, y: 1.2 },
  ]);
});

test('a drag of many steps is one undo, and a line keeps two points', () => {
  const layout = newLayout('Board');
  layout.zones = [path()];
  const model = new EditorModel(layout);
  model.select('p');
  const before = model.state.scene;
  for (const x of [5, 10, 15]) {
    changePlaces(model, 'p', (places) => void places.splice(0, 1, { x, y: x }), 'drag 1');
  }
  expect(placesOf(editedPath(model) as PathZone)).toHaveLength(4);
  model.undo();
  expect(model.state.scene).toEqual(before);
  for (let gone = 0; gone < 4; gone++) changePlaces(model, 'p', (places) => void places.pop());
  expect(editedPath(model)?.points).toHaveLength(2);
});

test('no line gets more points than a path has', () => {
  const layout = newLayout('Board');
  layout.zones = [path()];
  const model = new EditorModel(layout);
  model.select('p');
  for (let more = 0; more < MAX_PATH_POINTS + 5; more++)
    changePlaces(model, 'p', (places) => void places.push({ x: more, y: 1 }));
  expect(editedPath(model)?.points).toHaveLength(MAX_PATH_POINTS);
});
