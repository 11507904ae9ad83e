import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Course, coursePath, flattened, lengthOf, placesAlong } from './curve.ts';

const number = fc.double({ min: -100, max: 100, noNaN: true });
const courses: fc.Arbitrary<Course> = fc.record({
  points: fc.array(fc.record({ x: number, y: number }), { minLength: 2, maxLength: 8 }),
  smooth: fc.boolean(),
  closed: fc.boolean(),
});

test('a line passes through all of its points', () => {
  fc.assert(
    fc.property(courses, (course) => {
      const line = flattened(course);
      for (const { x, y } of course.points)
        expect(line.some((one) => Math.hypot(one.x - x, one.y - y) < 1e-6)).toBe(true);
      expect(coursePath(course)[0]).toEqual(['M', course.points[0]?.x, course.points[0]?.y]);
    }),
  );
});

test('places lie on the line, the ends at its ends, none farther apart than the length between them', () => {
  fc.assert(
    fc.property(courses, fc.integer({ min: 2, max: 30 }), (course, count) => {
      const places = placesAlong(course, count);
      expect(places).toHaveLength(count);
      const gap = lengthOf(course) / (course.closed ? count : count - 1);
      for (const [index, place] of places.entries()) {
        const before = places[index - 1];
        if (before)
          expect(Math.hypot(place.x - before.x, place.y - before.y)).toBeLessThanOrEqual(gap + 1e-6);
      }
      const [first, last] = [course.points[0], course.points.at(-1)];
      expect(places[0]?.x).toBeCloseTo(first?.x ?? 0, 6);
      if (!course.closed) expect(places.at(-1)?.y).toBeCloseTo(last?.y ?? 0, 6);
    }),
  );
});

test('places on a straight line are exactly as far apart as asked', () => {
  const course: Course = {
    points: [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
      { x: 30, y: 0 },
    ],
    smooth: false,
    closed: false,
  };
  expect(placesAlong(course, 7).map(({ x }) => x)).toEqual([0, 5, 10, 15, 20, 25, 30]);
});

test('fewer than two points make no line', () => {
  const course: Course = { points: [{ x: 1, y: 1 }], smooth: true, closed: true };
  expect(coursePath(course)).toEqual([]);
  expect(placesAlong(course, 5)).toEqual([]);
});
