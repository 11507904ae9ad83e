import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TRACK_COURSES, type TrackPlace, trackPlaces } from './track.ts';

const FINE = 1e-6;
const settings = fc.record({
  course: fc.constantFrom(...TRACK_COURSES),
  count: fc.integer({ min: 4, max: 200 }),
  depth: fc.integer({ min: 5, max: 60 }),
  gap: fc.integer({ min: 0, max: 6 }),
});
const area = fc.record({ w: fc.integer({ min: 60, max: 600 }), h: fc.integer({ min: 60, max: 600 }) });

const overlap = (a: TrackPlace, b: TrackPlace): boolean =>
  a.x + a.w > b.x + FINE && b.x + b.w > a.x + FINE && a.y + a.h > b.y + FINE && b.y + b.h > a.y + FINE;

test('a track has as many places as it should, all of them inside, none upon another', () => {
  fc.assert(
    fc.property(area, settings, (room, wanted) => {
      const places = trackPlaces(room, wanted);
      expect(places).toHaveLength(wanted.count);
      for (const place of places) {
        expect(place.x).toBeGreaterThan(-FINE);
        expect(place.y).toBeGreaterThan(-FINE);
        expect(place.x + place.w).toBeLessThan(room.w + FINE);
        expect(place.y + place.h).toBeLessThan(room.h + FINE);
        expect(Math.min(place.w, place.h)).toBeGreaterThan(0);
      }
      const [hit] = places.flatMap((a, i) => places.slice(i + 1).filter((b) => overlap(a, b)));
      expect(hit).toBeUndefined();
    }),
  );
});

test('each place of a track without gaps touches the next', () => {
  const touching = fc.constantFrom('edge', 'serpentine', 'spiral', 'line') as fc.Arbitrary<'edge'>;
  fc.assert(
    fc.property(area, settings, touching, (room, wanted, course) => {
      fc.pre(course !== 'edge' || wanted.count >= 8);
      const places = trackPlaces(room, { ...wanted, course, gap: 0 });
      for (const [at, place] of places.slice(1).entries()) {
        const before = places[at] as TrackPlace;
        const apartX = Math.max(place.x - before.x - before.w, before.x - place.x - place.w);
        const apartY = Math.max(place.y - before.y - before.h, before.y - place.y - place.h);
        expect(Math.max(apartX, apartY)).toBeCloseTo(0, 6);
      }
    }),
  );
});

test('forty places round a square have ten on each side, corners counted once', () => {
  const places = trackPlaces({ w: 400, h: 400 }, { course: 'edge', count: 40, depth: 40, gap: 0 });
  expect(places.flatMap(({ corner }, at) => (corner ? [at] : []))).toEqual([0, 10, 20, 30]);
});
