import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeNetwork } from '../board/network.ts';
import { crosses, namePlaces } from './name-places.ts';

const coordinate = fc.integer({ min: 0, max: 40 });
const point = fc.record({ x: coordinate, y: coordinate });

test('a line crosses a box if one of its points lies in it', () => {
  const box = { x: 10, y: 15, w: 12, h: 6 };
  fc.assert(
    fc.property(point, point, (from, to) => {
      const within = (part: number) => {
        const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part];
        return x >= 10 && x <= 22 && y >= 15 && y <= 21;
      };
      const found = Array.from({ length: 401 }, (_, at) => within(at / 400)).some(Boolean);
      if (found) expect(crosses(from, to, box)).toBe(true);
      // Corners are touched between two of the points looked at.
      const inner = { x: 10.2, y: 15.2, w: 11.6, h: 5.6 };
      if (crosses(from, to, inner)) expect(found).toBe(true);
    }),
  );
});

test('names lie beside their places where fewer lines go through them than below, and inside of the board', () => {
  const [size, w, h] = [12, 260, 200];
  const room = { w: size * 2.4, h: size * 0.5 };
  let [crossed, before] = [0, 0];
  for (let seed = 1; seed <= 40; seed++) {
    const { places, links } = makeNetwork({ w: w - 40, h: h - 40 }, {
      seed: String(seed),
      count: 24,
      density: 0.4,
      spread: 1,
    } as Parameters<typeof makeNetwork>[1]);
    const discs = places.map(({ x, y }) => ({ x: x + 20, y: y + 20 }));
    const lines = links.map(([a, b]) => [discs[a] ?? { x: 0, y: 0 }, discs[b] ?? { x: 0, y: 0 }] as const);
    const through = (box: Parameters<typeof crosses>[2]) =>
      lines.some(([from, to]) => crosses(from, to, box));
    const names = namePlaces(
      discs,
      size,
      links,
      discs.map(() => room.w),
      room,
      { w, h },
    );
    for (const [index, { box }] of names.entries()) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.w).toBeLessThanOrEqual(w);
      const { x, y } = discs[index] ?? { x: 0, y: 0 };
      if (through(box)) crossed++;
      if (through({ x: x - room.w / 2, y: y + size / 2, ...room })) before++;
    }
  }
  // Nearly half of the names below their places have a line through them.
  expect(before).toBeGreaterThan(200);
  expect(crossed).toBeLessThan(before / 4);
});
