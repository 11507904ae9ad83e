import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newZone } from '../../scene/zones.ts';
import { type CellAxis, cellsOf, cellsOfLayout } from '../sheets/cells.ts';
import { type Joint, type Split, split } from './split.ts';

const SLACK = 1e-5;
const double = (min: number, max: number) => fc.double({ min, max, noNaN: true });

const joints: fc.Arbitrary<Joint> = fc.oneof(
  double(0, 30).map((overlap) => ({ overlap, tab: 0 })),
  fc.constant({ overlap: 2, tab: 10 }),
);
/** Square cells when `pack` is 1; rows of hexagons reach into one another. */
const cellAxes: fc.Arbitrary<CellAxis | undefined> = fc.option(
  fc
    .record({
      at: double(0, 40),
      side: double(4, 60),
      pack: fc.constantFrom(1, 0.75, 1.1),
      count: fc.integer({ min: 1, max: 40 }),
    })
    .map(({ at, side, pack, count }) => {
      const boxes = Array.from({ length: count }, (_, index) => ({
        x: at + index * side * pack,
        y: 0,
        w: side,
        h: 1,
      }));
      return cellsOf(boxes)?.x;
    }),
  { nil: undefined },
);
const lengths = fc.record({
  size: double(10, 1_500),
  bleed: fc.constantFrom(0, 3.175),
  room: double(40, 400),
  joint: joints,
  cells: cellAxes,
});

interface Case {
  readonly size: number;
  readonly bleed: number;
  readonly room: number;
  readonly joint: Joint;
  readonly cells: CellAxis | undefined;
}

const run = ({ size, bleed, ...rest }: Case): Split | undefined =>
  split({ printed: { from: 0 - bleed, to: size + bleed }, trim: { from: 0, to: size }, ...rest });

/** True if a seam whose window ends at `end` leaves every cell whole on one side of it. */
const leavesWhole = (end: number, { overlap, tab }: Joint, { spans }: CellAxis): boolean =>
  spans.every(
    ({ from, to }) => from >= end - overlap - SLACK || to <= (tab > 0 ? end - overlap : end) + SLACK,
  );

describe('a length over several pages', () => {
  test('windows cover it, overlap exactly, and fit the room with their tabs', () => {
    fc.assert(
      fc.property(lengths, (one) => {
        const made = run(one);
        if (!made) return;
        const { strips } = made;
        expect(strips[0]?.from).toBeCloseTo(-one.bleed, 9);
        expect(strips.at(-1)?.to).toBeCloseTo(one.size + one.bleed, 9);
        for (const [index, strip] of strips.entries()) {
          expect(strip.to - strip.from + strip.tab).toBeLessThanOrEqual(one.room + SLACK);
          const next = strips[index + 1];
          if (next) expect(strip.to - next.from).toBeCloseTo(one.joint.overlap, 6);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('the parts that stay lie side by side, from cut to cut, each inside its window', () => {
    fc.assert(
      fc.property(lengths, (one) => {
        const strips = run(one)?.strips;
        if (!strips) return;
        let at = 0;
        for (const { from, to, keep } of strips) {
          expect(keep.from).toBeCloseTo(at, 9);
          expect(keep.from).toBeGreaterThanOrEqual(from - SLACK);
          expect(keep.to).toBeLessThanOrEqual(to + SLACK);
          at = keep.to;
        }
        expect(at).toBeCloseTo(one.size, 9);
      }),
      { numRuns: 500 },
    );
  });

  test('without cells no fewer windows would do', () => {
    fc.assert(
      fc.property(lengths, (each) => {
        const one = { ...each, cells: undefined };
        const strips = run(one)?.strips;
        if (!strips || strips.length === 1) return;
        const { joint, room } = one;
        const tab = Math.max(0, joint.tab - joint.overlap);
        const fewer = strips.length - 1;
        const reach = fewer * room - (fewer - 1) * (joint.overlap + tab);
        expect(reach).toBeLessThan(one.size + 2 * one.bleed + SLACK);
      }),
      { numRuns: 500 },
    );
  });

  test('a seam goes through a cell only where no shift of one pitch back from the page’s end avoids it', () => {
    fc.assert(
      fc.property(lengths, (one) => {
        const made = run(one);
        const { cells, joint, room } = one;
        if (!made || !cells) return;
        let cut = 0;
        for (const { from, to } of made.strips.slice(0, -1)) {
          if (leavesWhole(to, joint, cells)) continue;
          cut++;
          const latest = from + room - Math.max(0, joint.tab - joint.overlap);
          // Every good stretch begins or ends at the edge of a cell.
          const tried = [latest, ...cells.spans.flatMap((span) => [span.from + joint.overlap, span.to])];
          const avoids = tried.filter(
            (at) =>
              at <= latest &&
              at >= latest - cells.pitch + SLACK &&
              at > from + joint.overlap + 5 + SLACK &&
              leavesWhole(at, joint, cells) &&
              leavesWhole(at - 2 * SLACK, joint, cells),
          );
          expect(avoids).toEqual([]);
        }
        expect(made.cut).toBe(cut);
      }),
      { numRuns: 500 },
    );
  });

  test('too little room beside the overlap, or far too many pages, is refused', () => {
    const one = { size: 500, bleed: 0, joint: { overlap: 30, tab: 0 }, cells: undefined };
    expect(run({ ...one, room: 34 })).toBeUndefined();
    expect(run({ ...one, room: 36, size: 5_000 })).toBeUndefined();
  });

  test('a board a little longer than a page is halved instead of leaving a sliver', () => {
    const strips = run({
      size: 204,
      bleed: 0,
      room: 200,
      joint: { overlap: 8, tab: 0 },
      cells: undefined,
    })?.strips;
    expect(strips?.map(({ from, to }) => [from, to])).toEqual([
      [0, 106],
      [98, 204],
    ]);
    expect(strips?.map(({ keep }) => [keep.from, keep.to])).toEqual([
      [0, 102],
      [102, 204],
    ]);
  });
});

describe('the cells of a layout', () => {
  test('are those of its largest grid that stands straight', () => {
    const small = { ...newZone('grid', 'a', 'A', { x: 0, y: 0, w: 20, h: 20 }), cols: 1, rows: 1 };
    const large = { ...newZone('grid', 'b', 'B', { x: 10, y: 5, w: 80, h: 40 }), cols: 4, rows: 2, gap: 0 };
    const cells = cellsOfLayout({ zones: [small, { ...large, cells: 'square' }] });
    expect(cells?.x.spans.map(({ from }) => from)).toEqual([10, 30, 50, 70]);
    expect(cells?.x.pitch).toBeCloseTo(20, 9);
    expect(cells?.y.spans).toHaveLength(2);
    expect(cellsOfLayout({ zones: [{ ...large, rotation: 10 }] })).toBeUndefined();
  });

  test('are those of a map as well, where each cell lies', () => {
    const map = newZone('map', 'm', 'M', { x: 10, y: 5, w: 80, h: 40 });
    const cells = cellsOfLayout({ zones: [{ ...map, cells: 'square', cols: 4, rows: 2 }] });
    for (const [at, from] of [10, 30, 50, 70].entries())
      expect(cells?.x.spans[at]?.from).toBeCloseTo(from, 6);
    expect(cells?.x.pitch).toBeCloseTo(20, 6);
    expect(cells?.y.spans).toHaveLength(2);
    const large = newZone('grid', 'g', 'G', { x: 0, y: 0, w: 200, h: 100 });
    expect(cellsOfLayout({ zones: [map, large] })).toEqual(cellsOfLayout({ zones: [large] }));
  });

  test('rows of hexagons reach into one another, so their spans overlap', () => {
    const grid = newZone('grid', 'g', 'G', { x: 0, y: 0, w: 90, h: 70 });
    const cells = cellsOfLayout({ zones: [{ ...grid, cells: 'hex-pointy', cols: 4, rows: 3, gap: 0 }] });
    const [first, second] = cells?.y.spans ?? [];
    expect(second?.from).toBeLessThan(first?.to ?? 0);
    // Every other row is shifted by half a cell.
    expect(cells?.x.spans).toHaveLength(8);
  });

  test('are its spaces as well, in groups and turned, beside those of its grid', () => {
    const space = (x: number, w: number, rotation = 0) => ({
      ...newZone('space', `s${x}`, 'S', { x, y: 10, w, h: 10 }),
      rotation,
    });
    const group = {
      ...newZone('container', 'c', 'C', { x: 100, y: 0, w: 90, h: 90 }),
      arrange: 'free' as const,
    };
    const cells = cellsOfLayout({ zones: [space(5, 20), { ...group, children: [space(30, 20, 90)] }] });
    expect(cells?.x.spans.map(({ from, to }) => [from, Math.round(to)])).toEqual([
      [5, 25],
      [135, 145],
    ]);
    expect(cells?.x.grid).toBeUndefined();
    const grid = { ...newZone('grid', 'b', 'B', { x: 10, y: 5, w: 80, h: 40 }), cols: 4, rows: 2, gap: 0 };
    const both = cellsOfLayout({ zones: [{ ...grid, cells: 'square' }, space(15, 70)] });
    expect(both?.x.spans).toHaveLength(5);
    expect(both?.x.grid).toEqual(cellsOfLayout({ zones: [{ ...grid, cells: 'square' }] })?.x);
  });
});

describe('spaces that lie anywhere', () => {
  const spaces = fc.array(
    fc.record({ from: fc.integer({ min: 0, max: 580 }), w: fc.integer({ min: 4, max: 90 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  const lengths = fc.record({
    spans: spaces.map((all) => all.map(({ from, w }) => ({ from, to: from + w }))),
    room: fc.integer({ min: 70, max: 260 }),
    overlap: fc.integer({ min: 0, max: 15 }),
    tabs: fc.boolean(),
    side: fc.option(fc.integer({ min: 12, max: 50 }), { nil: undefined }),
  });

  test('are kept whole where that takes no further page, and no more seams cut anything than without them', () => {
    fc.assert(
      fc.property(lengths, ({ spans, room, overlap, tabs, side }) => {
        const squares =
          side && cellsOf(Array.from({ length: 12 }, (_, at) => ({ x: at * side, y: 0, w: side, h: side })));
        const grid = squares ? squares.x : undefined;
        const all = [...spans, ...(grid?.spans ?? [])];
        const joint = tabs ? { overlap: Math.min(2, overlap), tab: overlap } : { overlap, tab: 0 };
        const how = { printed: { from: 0, to: 600 }, trim: { from: 0, to: 600 }, room, joint };
        const pitch = Math.max(...all.map(({ from, to }) => to - from));
        const made = split({ ...how, cells: { pitch, spans: all, hasSpaces: true, grid } });
        const plain = split({ ...how, cells: grid });
        const [pages = 0, before = 0] = [made?.strips.length, plain?.strips.length];
        expect(pages).toBeLessThanOrEqual(before);
        const fit = all.filter(({ from, to }) => to - from <= room);
        const cuts = (of: typeof made) =>
          (of?.strips.slice(0, -1) ?? []).filter(({ to }) =>
            fit.some((one) => !leavesWhole(to, joint, { pitch: 0, spans: [one] })),
          ).length;
        if (pages === before) expect(cuts(made)).toBeLessThanOrEqual(cuts(plain));
        expect(made?.cut).toBe(cuts(made));
      }),
      { numRuns: 500 },
    );
  });

  test('a seam in the middle of a board moves off the points that lie there', () => {
    // Nine men's morris: three points lie on the middle line of a square board.
    const points = [27, 60, 92, 123, 154, 187, 219].map((from) => ({ from, to: from + 8 }));
    const printed = { from: 0, to: 254 };
    const how = { printed, trim: printed, room: 200, joint: { overlap: 8, tab: 8 } };
    const made = split({ ...how, cells: { pitch: 8, spans: points, hasSpaces: true } });
    expect(made?.strips).toHaveLength(2);
    expect(made?.cut).toBe(0);
    const seam = made?.strips[0]?.keep.to ?? 0;
    expect(points.some(({ from, to }) => seam > from + 1e-6 && seam < to - 1e-6)).toBe(false);
  });
});
