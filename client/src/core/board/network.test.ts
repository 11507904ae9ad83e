import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeNetwork } from './network.ts';

const area = fc.record({ w: fc.integer({ min: 60, max: 600 }), h: fc.integer({ min: 60, max: 600 }) });
const settings = fc.record({
  seed: fc.string({ maxLength: 8 }),
  count: fc.integer({ min: 1, max: 40 }),
  density: fc.double({ min: 0, max: 1, noNaN: true }),
});

test('every place can be reached from the first, and no two links cross', () => {
  fc.assert(
    fc.property(area, settings, (room, wanted) => {
      const { places, links } = makeNetwork(room, wanted);
      expect(places).toHaveLength(wanted.count);
      for (const { x, y } of places) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(room.w);
        expect(y).toBeLessThanOrEqual(room.h);
      }
      const reached = new Set([0]);
      for (const [at] of reached.entries()) {
        for (const [a, b] of links) {
          if (a === at) reached.add(b);
          if (b === at) reached.add(a);
        }
      }
      expect(reached.size).toBe(wanted.count);
      for (const [i, [a, b]] of links.entries()) {
        for (const [c, d] of links.slice(i + 1)) {
          if (new Set([a, b, c, d]).size < 4) continue;
          expect(meet(places[a], places[b], places[c], places[d])).toBe(false);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('the same seed makes the same network', () => {
  const wanted = { seed: 'harbour', count: 24, density: 0.5 };
  expect(makeNetwork({ w: 400, h: 250 }, wanted)).toEqual(makeNetwork({ w: 400, h: 250 }, wanted));
  expect(makeNetwork({ w: 400, h: 250 }, wanted)).not.toEqual(
    makeNetwork({ w: 400, h: 250 }, { ...wanted, seed: 'hill' }),
  );
});

type P = { x: number; y: number } | undefined;
/** True if two lines without a common end have a point in common; solved for the shares along both. */
function meet(a: P, b: P, c: P, d: P): boolean {
  if (!a || !b || !c || !d) throw new Error('a link leads nowhere');
  const [r, s] = [
    { x: b.x - a.x, y: b.y - a.y },
    { x: d.x - c.x, y: d.y - c.y },
  ];
  const cross = r.x * s.y - r.y * s.x;
  if (cross === 0) return false;
  const t = ((c.x - a.x) * s.y - (c.y - a.y) * s.x) / cross;
  const u = ((c.x - a.x) * r.y - (c.y - a.y) * r.x) / cross;
  return t > 1e-9 && t < 1 - 1e-9 && u > 1e-9 && u < 1 - 1e-9;
}
