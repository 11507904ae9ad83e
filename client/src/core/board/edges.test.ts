import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NearPlaces } from '../testing/near-places.ts';
import { type Symmetry, symmetriesOf } from './area.ts';
import {
  cornerAtPoint,
  cornerPlace,
  decodeEdges,
  edgeAtPoint,
  edgeLines,
  edgeOf,
  edgePath,
  edgesByCorner,
  encodeEdges,
  endsOf,
  MAX_EDGE_DATA,
  mergeEdges,
  otherEnd,
  symmetricEdges,
} from './edges.ts';
import { CELL_KINDS, type CellGrid, countOf, sidesOf } from './grid.ts';
import { latticeOf } from './lattice.ts';
import { cellCentre, cellPolygon, placeGrid } from './placing.ts';
import { MAX_TERRAINS, TERRAIN_DATA } from './terrain-data.ts';

const BOX = { x: 3, y: 5, w: 120, h: 90 };
const grids = fc.record({
  cells: fc.constantFrom(...CELL_KINDS),
  cols: fc.integer({ min: 1, max: 9 }),
  rows: fc.integer({ min: 1, max: 9 }),
});

/** The sides of a grid, each once. */
function allEdges(grid: CellGrid): number[] {
  const lattice = latticeOf(grid);
  const count = countOf(grid) * lattice.sides;
  return Array.from({ length: count }, (_, at) => at).filter(
    (at) => edgeOf(lattice, Math.floor(at / lattice.sides), at % lattice.sides) === at,
  );
}

const gridAndEdges = grids.chain((grid) =>
  fc.tuple(fc.constant(grid), fc.subarray(allEdges(grid)), fc.integer({ min: 1, max: MAX_TERRAINS })),
);

const drawn = (grid: CellGrid, edges: readonly number[], kind: number): Uint8Array => {
  const kinds = new Uint8Array(countOf(grid) * sidesOf(grid));
  for (const edge of edges) kinds[edge] = kind;
  return kinds;
};

describe('sides of cells', () => {
  test('two cells that share a side name it alike, and both have its ends among their corners', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const lattice = latticeOf(grid);
        const placed = placeGrid(grid, BOX, 0);
        for (let cell = 0; cell < countOf(grid); cell++) {
          for (let side = 0; side < lattice.sides; side++) {
            const across = lattice.beyond[cell * lattice.sides + side] ?? -1;
            const edge = edgeOf(lattice, cell, side);
            if (across >= 0)
              expect(edgeOf(lattice, across, (side + lattice.sides / 2) % lattice.sides)).toBe(edge);
            const corners = cellPolygon(placed, cell);
            for (const end of endsOf(lattice, edge).map((corner) => cornerPlace(placed, corner)))
              expect(corners.some(({ x, y }) => Math.hypot(x - end.x, y - end.y) < 1e-9)).toBe(true);
          }
        }
      }),
    );
  });

  test('what lies along them is read as it was written, and fits a stored map', () => {
    fc.assert(
      fc.property(gridAndEdges, ([grid, edges, kind]) => {
        const kinds = drawn(grid, edges, kind);
        const text = encodeEdges(grid, kinds);
        expect(text).toMatch(TERRAIN_DATA);
        expect(decodeEdges(grid, text)).toEqual(kinds);
      }),
    );
    for (const [cells, cols, rows] of [
      ['hex-pointy', 200, 100],
      ['hex-flat', 1, 20_000],
      ['square', 20_000, 1],
    ] as const) {
      const grid = { cells, cols, rows };
      const kinds = new Uint8Array(countOf(grid) * sidesOf(grid));
      for (const [at, edge] of allEdges(grid).entries()) kinds[edge] = 1 + (at % 2);
      expect(encodeEdges(grid, kinds).length).toBeLessThanOrEqual(MAX_EDGE_DATA);
    }
  });

  test('columns and rows added at the end leave every line where it was', () => {
    fc.assert(
      fc.property(gridAndEdges, fc.nat(3), fc.nat(3), ([grid, edges, kind], cols, rows) => {
        const larger = { ...grid, cols: grid.cols + cols, rows: grid.rows + rows };
        const text = encodeEdges(grid, drawn(grid, edges, kind));
        const [small, large] = [latticeOf(grid), latticeOf(larger)];
        const placesOf = (lattice: typeof small, found: readonly number[]): string[] =>
          found
            .map((edge) =>
              endsOf(lattice, edge)
                .map((corner) => `${corner % lattice.width} ${Math.floor(corner / lattice.width)}`)
                .sort()
                .join(' to '),
            )
            .sort();
        const kept = [...decodeEdges(larger, text).entries()].flatMap(([edge, is]) =>
          is === kind ? [edge] : [],
        );
        expect(placesOf(large, kept)).toEqual(placesOf(small, edges));
      }),
    );
  });

  test('lines run along every side once', () => {
    fc.assert(
      fc.property(gridAndEdges, ([grid, edges]) => {
        const placed = placeGrid(grid, BOX, 0);
        const lattice = latticeOf(grid);
        const places = new NearPlaces(1e-3);
        const key = (x: number, y: number): number => places.nameOf(x, y);
        const line = (from: number, to: number): string => [from, to].sort().join('-');
        const wanted = edges.map((edge) => {
          const [from, to] = endsOf(lattice, edge)
            .map((corner) => cornerPlace(placed, corner))
            .map(({ x, y }) => key(x, y));
          return line(from ?? -1, to ?? -1);
        });
        const found: string[] = [];
        let [start, last] = [-1, -1];
        for (const command of edgeLines(placed, edges)) {
          if (command[0] === 'M') start = key(command[1], command[2]);
          else {
            const to = command[0] === 'L' ? key(command[1], command[2]) : start;
            found.push(line(last, to));
          }
          last = command[0] === 'L' || command[0] === 'M' ? key(command[1], command[2]) : start;
        }
        expect(found.sort()).toEqual(wanted.sort());
      }),
    );
  });

  test('a path between corners hangs together and is no longer than another way', () => {
    fc.assert(
      fc.property(grids, fc.nat(), fc.nat(), (grid, a, b) => {
        const meeting = edgesByCorner(grid);
        const lattice = latticeOf(grid);
        const corners = [...meeting.keys()];
        const [from = 0, to = 0] = [corners[a % corners.length], corners[b % corners.length]];
        const path = edgePath(grid, meeting, from, to);
        let corner = from;
        for (const edge of path) {
          expect(endsOf(lattice, edge)).toContain(corner);
          corner = otherEnd(lattice, edge, corner);
        }
        expect(corner).toBe(to);
        expect(path.length).toBe(edgePath(grid, meeting, to, from).length);
        expect(new Set(path).size).toBe(path.length);
      }),
    );
  });

  test('a point at the middle of a side is its, and one at a corner the corner’s', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const placed = placeGrid(grid, BOX, 0);
        const lattice = latticeOf(grid);
        for (const edge of allEdges(grid)) {
          const [a, b] = endsOf(lattice, edge).map((corner) => cornerPlace(placed, corner));
          if (!a || !b) continue;
          const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
          // A hair inside of its cell: beyond the rim lies none.
          const centre = cellCentre(placed, Math.floor(edge / lattice.sides));
          const inside = {
            x: middle.x + (centre.x - middle.x) * 1e-6,
            y: middle.y + (centre.y - middle.y) * 1e-6,
          };
          expect(edgeAtPoint(placed, inside)).toBe(edge);
          const near = cornerAtPoint(placed, {
            x: a.x + (inside.x - a.x) * 0.05,
            y: a.y + (inside.y - a.y) * 0.05,
          });
          if (near !== undefined) expect(near).toBe(endsOf(lattice, edge)[0]);
        }
      }),
    );
  });

  test('lines of two people at other sides both stay', () => {
    fc.assert(
      fc.property(gridAndEdges, fc.nat(), ([grid, edges, kind], split) => {
        const at = split % (edges.length + 1);
        const text = (some: readonly number[]): string => encodeEdges(grid, drawn(grid, some, kind));
        const texts = { base: '', mine: text(edges.slice(0, at)), theirs: text(edges.slice(at)) };
        for (const prefer of ['mine', 'theirs'] as const)
          expect(mergeEdges(grid, texts, prefer)).toBe(text(edges));
      }),
    );
  });
});

describe('symmetric sides', () => {
  const cases = grids.chain((grid) =>
    fc.record({
      grid: fc.constant(grid),
      symmetry: fc.constantFrom(...symmetriesOf(grid)),
      edge: fc.constantFrom(...allEdges(grid)),
    }),
  );

  /** The images of a place under a symmetry, itself first. */
  function images(grid: CellGrid, symmetry: Symmetry, { x, y }: { x: number; y: number }) {
    const placed = placeGrid(grid, BOX, 0);
    const middle =
      grid.cells === 'square'
        ? { x: BOX.x + BOX.w / 2, y: BOX.y + BOX.h / 2 }
        : cellCentre(placed, Math.floor(grid.rows / 2) * grid.cols + Math.floor(grid.cols / 2));
    if (symmetry === 'none') return [{ x, y }];
    if (symmetry === 'mirror') {
      // Rows and columns that are shifted have their mirror where their cells have it.
      const even =
        grid.cells === 'hex-flat' && grid.cols % 2 === 0 && grid.cols > 1 ? grid.cols - 2 : grid.cols - 1;
      const axis = (cellCentre(placed, 0).x + cellCentre(placed, even).x) / 2;
      return [
        { x, y },
        { x: 2 * axis - x, y },
      ];
    }
    const turns = Number(symmetry.slice(-1));
    return Array.from({ length: turns }, (_, at) => {
      const [sin, cos] = [Math.sin((2 * Math.PI * at) / turns), Math.cos((2 * Math.PI * at) / turns)];
      const [dx, dy] = [x - middle.x, y - middle.y];
      return { x: middle.x + cos * dx - sin * dy, y: middle.y + sin * dx + cos * dy };
    });
  }

  test('are those that lie where the symmetry takes a side, and all of them that the grid has, but for the rim', () => {
    fc.assert(
      fc.property(cases, ({ grid, symmetry, edge }) => {
        // A quarter turn of squares of odd and even number is off by half a square.
        fc.pre(symmetry !== 'turn-4' || (grid.cols + grid.rows) % 2 === 0);
        const placed = placeGrid(grid, BOX, 0);
        const lattice = latticeOf(grid);
        const middleOf = (one: number) => {
          const [a, b] = endsOf(lattice, one).map((corner) => cornerPlace(placed, corner));
          return { x: ((a?.x ?? 0) + (b?.x ?? 0)) / 2, y: ((a?.y ?? 0) + (b?.y ?? 0)) / 2 };
        };
        const wanted = images(grid, symmetry, middleOf(edge));
        const near = (one: number) => {
          const { x, y } = middleOf(one);
          return wanted.some((place) => Math.hypot(place.x - x, place.y - y) < placed.pitch / 100);
        };
        const found = symmetricEdges(grid, edge, symmetry);
        expect(new Set(found).size).toBe(found.length);
        const all = allEdges(grid).filter(near);
        expect(found.filter((one) => !all.includes(one))).toEqual([]);
        // Of two sides at the rim that correspond, the cells need not.
        const lost = all.filter((one) => !found.includes(one));
        expect([edge, ...lost].every((one) => lost.length === 0 || (lattice.beyond[one] ?? -1) < 0)).toBe(
          true,
        );
      }),
      { numRuns: 400 },
    );
  });
});
