import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brushCells, floodFill, rectCells, symmetricCells, symmetriesOf } from './area.ts';
import {
  boundedGrid,
  CELL_KINDS,
  type CellGrid,
  colOf,
  cornersOf,
  countOf,
  distance,
  fromAxial,
  lineOf,
  MAX_MAP_CELLS,
  neighbour,
  neighbours,
  rowOf,
  sidesOf,
  toAxial,
} from './grid.ts';
import { cellName, cellNamed, cellsOfRange, columnLetters } from './labels.ts';
import { areaPath, boundaryLoops, linePath } from './outlines.ts';
import {
  cellAtPoint,
  cellBox,
  cellCentre,
  cellPolygon,
  cutBox,
  placeGrid,
  RIMS,
  sizeFor,
} from './placing.ts';
import {
  cellsOfTerrain,
  decodeTerrain,
  encodeTerrain,
  MAX_TERRAIN_DATA,
  MAX_TERRAINS,
  mergeTerrain,
  regrid,
  TERRAIN_DATA,
  withCells,
} from './terrain-data.ts';

const grids = fc.record({
  cells: fc.constantFrom(...CELL_KINDS),
  cols: fc.integer({ min: 1, max: 14 }),
  rows: fc.integer({ min: 1, max: 14 }),
});
const cellsOf = (grid: CellGrid) => fc.integer({ min: 0, max: countOf(grid) - 1 });
const gridAndCells = grids.chain((grid) => fc.tuple(fc.constant(grid), cellsOf(grid), cellsOf(grid)));
const terrains = (most = 3) =>
  grids.chain((grid) =>
    fc.tuple(
      fc.constant(grid),
      fc.uint8Array({ minLength: countOf(grid), maxLength: countOf(grid), min: 0, max: most }),
    ),
  );

/** Steps to every cell, by searching. */
function stepsFrom(grid: CellGrid, start: number): Map<number, number> {
  const steps = new Map([[start, 0]]);
  const queue = [start];
  for (let cell = queue.shift(); cell !== undefined; cell = queue.shift()) {
    for (const next of neighbours(grid, cell)) {
      if (steps.has(next)) continue;
      steps.set(next, (steps.get(cell) ?? 0) + 1);
      queue.push(next);
    }
  }
  return steps;
}

describe('cells', () => {
  test('a neighbour has the cell for its own neighbour, across the opposite side', () => {
    fc.assert(
      fc.property(gridAndCells, ([grid, cell]) => {
        const sides = sidesOf(grid);
        for (let side = 0; side < sides; side++) {
          const next = neighbour(grid, cell, side);
          if (next !== undefined) expect(neighbour(grid, next, (side + sides / 2) % sides)).toBe(cell);
        }
      }),
    );
  });

  test('neighbours share both corners of their side', () => {
    fc.assert(
      fc.property(gridAndCells, ([grid, cell]) => {
        const placed = placeGrid(grid, { x: 3, y: 4, w: 200, h: 150 }, 0);
        const own = cellPolygon(placed, cell);
        for (let side = 0; side < sidesOf(grid); side++) {
          const next = neighbour(grid, cell, side);
          if (next === undefined) continue;
          const theirs = cellPolygon(placed, next);
          for (const corner of [own[side], own[(side + 1) % own.length]]) {
            const near = theirs.some(
              ({ x, y }) => Math.hypot(x - (corner?.x ?? 0), y - (corner?.y ?? 0)) < 1e-9,
            );
            expect(near).toBe(true);
          }
        }
      }),
    );
  });

  test('axes lead back to the cell, and a distance is the fewest steps', () => {
    fc.assert(
      fc.property(gridAndCells, ([grid, from, to]) => {
        expect(fromAxial(grid, toAxial(grid, from))).toBe(from);
        const steps = stepsFrom(grid, from).get(to);
        // A grid one cell wide has detours that the plane does not.
        if (grid.cols > 1 && grid.rows > 1) expect(distance(grid, from, to)).toBe(steps);
        else expect(distance(grid, from, to)).toBeLessThanOrEqual(steps ?? Number.POSITIVE_INFINITY);
      }),
    );
  });

  test('a line begins and ends where it should and never jumps', () => {
    fc.assert(
      fc.property(gridAndCells, ([grid, from, to]) => {
        const line = lineOf(grid, from, to);
        expect(line[0]).toBe(from);
        expect(line.at(-1)).toBe(to);
        for (const [at, cell] of line.entries()) {
          const before = line[at - 1];
          if (before === undefined) continue;
          const [dx, dy] = [colOf(grid, cell) - colOf(grid, before), rowOf(grid, cell) - rowOf(grid, before)];
          expect(Math.max(Math.abs(dx), Math.abs(dy))).toBeLessThanOrEqual(2);
          if (grid.cells === 'square') expect(Math.max(Math.abs(dx), Math.abs(dy))).toBe(1);
        }
      }),
    );
  });

  test('a grid is never larger than the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 1e6 }), fc.integer({ min: -5, max: 1e6 }), (cols, rows) => {
        const grid = boundedGrid({ cells: 'square', cols, rows });
        expect(countOf(grid)).toBeGreaterThanOrEqual(1);
        expect(countOf(grid)).toBeLessThanOrEqual(MAX_MAP_CELLS);
      }),
    );
  });
});

describe('places', () => {
  const gaps = fc.double({ min: 0, max: 3, noNaN: true });

  test('the centre of a cell is in it, and cells fill their box without passing it', () => {
    fc.assert(
      fc.property(gridAndCells, gaps, ([grid, cell], gap) => {
        const box = { x: -10, y: 5, w: 180, h: 120 };
        const placed = placeGrid(grid, box, gap);
        expect(cellAtPoint(placed, cellCentre(placed, cell))).toBe(cell);
        const { x, y, w, h } = cellBox(placed, cell);
        expect(x).toBeGreaterThanOrEqual(box.x - 1e-6);
        expect(y).toBeGreaterThanOrEqual(box.y - 1e-6);
        expect(x + w).toBeLessThanOrEqual(box.x + box.w + 1e-6);
        expect(y + h).toBeLessThanOrEqual(box.y + box.h + 1e-6);
      }),
    );
  });

  test('a point well inside a cell is in that cell', () => {
    fc.assert(
      fc.property(
        gridAndCells,
        fc.double({ min: 0, max: 0.95, noNaN: true }),
        fc.nat(5),
        ([grid, cell], share, corner) => {
          const placed = placeGrid(grid, { x: 0, y: 0, w: 180, h: 120 }, 0);
          const centre = cellCentre(placed, cell);
          const to = cellPolygon(placed, cell)[corner % cornersOf(grid).length] ?? centre;
          const point = { x: centre.x + (to.x - centre.x) * share, y: centre.y + (to.y - centre.y) * share };
          expect(cellAtPoint(placed, point)).toBe(cell);
        },
      ),
    );
  });

  test('a box made for a width of cells gives that width', () => {
    fc.assert(
      fc.property(
        grids,
        fc.double({ min: 1, max: 50, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (grid, pitch, share) => {
          const gap = share * pitch;
          for (const rims of RIMS) {
            const size = sizeFor(grid, pitch, gap, rims);
            expect(placeGrid(grid, { x: 0, y: 0, ...size }, gap, rims).pitch).toBeCloseTo(pitch, 6);
          }
        },
      ),
    );
  });

  test('rims that are cut are straight: every place inside is in a cell, and the box holds them', () => {
    const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(grids, share, share, (grid, across, down) => {
        const box = { x: 3, y: 5, w: 90, h: 70 };
        const placed = placeGrid(grid, box, 0, 'cut');
        const cut = cutBox(placed, 'cut');
        expect(cutBox(placed, 'whole')).toBeUndefined();
        if (!cut) return;
        expect(cut.x).toBeGreaterThanOrEqual(box.x - 1e-9);
        expect(cut.y).toBeGreaterThanOrEqual(box.y - 1e-9);
        expect(cut.x + cut.w).toBeLessThanOrEqual(box.x + box.w + 1e-9);
        expect(cut.y + cut.h).toBeLessThanOrEqual(box.y + box.h + 1e-9);
        const fills = Math.max(cut.w / box.w, cut.h / box.h);
        expect(fills).toBeCloseTo(1, 6);
        const point = { x: cut.x + across * cut.w, y: cut.y + down * cut.h };
        const cell = cellAtPoint(placed, point);
        if (cell === undefined) throw new Error('no cell');
        const corners = cellPolygon(placed, cell);
        for (const [at, from] of corners.entries()) {
          const to = corners[(at + 1) % corners.length] ?? from;
          const side = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
          expect(side).toBeGreaterThanOrEqual(-1e-6);
        }
      }),
    );
  });
});

describe('terrain', () => {
  test('text and cells are the same, and the text is short enough to store', () => {
    fc.assert(
      fc.property(terrains(MAX_TERRAINS), ([grid, terrain]) => {
        const text = encodeTerrain(grid, terrain);
        expect(decodeTerrain(grid, text)).toEqual(terrain);
        expect(text).toMatch(TERRAIN_DATA);
        expect(text.length).toBeLessThanOrEqual(2 * countOf(grid));
        expect(text.length).toBeLessThanOrEqual(MAX_TERRAIN_DATA);
      }),
    );
  });

  test('ten thousand cells of eight terrains without any order take less than 60 kB', () => {
    const grid: CellGrid = { cells: 'hex-pointy', cols: 100, rows: 100 };
    let seed = 7;
    const terrain = Uint8Array.from({ length: 10_000 }, () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return 1 + ((seed >> 8) % 8);
    });
    expect(encodeTerrain(grid, terrain).length).toBeLessThan(60_000);
  });

  test('text that was damaged gives cells all the same', () => {
    fc.assert(
      fc.property(grids, fc.string({ maxLength: 60 }), (grid, text) => {
        expect(decodeTerrain(grid, text)).toHaveLength(countOf(grid));
      }),
    );
  });

  test('changes of two sides to different cells are both kept', () => {
    const changes = fc.array(fc.tuple(fc.nat(195), fc.integer({ min: 0, max: 3 })), { maxLength: 30 });
    fc.assert(
      fc.property(
        terrains(),
        changes,
        changes,
        fc.constantFrom('mine' as const, 'theirs' as const),
        ([grid, base], a, b, prefer) => {
          const change = (list: readonly (readonly [number, number])[]) =>
            list.reduce<Uint8Array>((cells, [cell, to]) => withCells(cells, [cell], to), base);
          const [mine, theirs] = [change(a), change(b)];
          const texts = {
            base: encodeTerrain(grid, base),
            mine: encodeTerrain(grid, mine),
            theirs: encodeTerrain(grid, theirs),
          };
          const merged = decodeTerrain(grid, mergeTerrain(grid, texts, prefer));
          for (let cell = 0; cell < countOf(grid); cell++) {
            const [m, t, was] = [mine[cell], theirs[cell], base[cell]];
            const wanted = m === was ? t : t === was || prefer === 'mine' ? m : t;
            expect(merged[cell]).toBe(wanted);
          }
        },
      ),
    );
  });

  test('cells keep their column and row in a larger grid', () => {
    fc.assert(
      fc.property(terrains(), fc.nat(4), fc.nat(4), ([grid, terrain], more, lower) => {
        const larger = { ...grid, cols: grid.cols + more, rows: grid.rows + lower };
        expect(regrid(larger, regrid(grid, terrain, larger), grid)).toEqual(terrain);
        expect(decodeTerrain(larger, encodeTerrain(grid, terrain))).toEqual(regrid(grid, terrain, larger));
      }),
    );
  });
});

describe('areas', () => {
  test('a fill is the cells that can be reached through the same terrain', () => {
    fc.assert(
      fc.property(
        terrains().chain(([grid, terrain]) =>
          fc.tuple(fc.constant(grid), fc.constant(terrain), cellsOf(grid)),
        ),
        ([grid, terrain, start]) => {
          const reached = new Set([start]);
          for (let grown = true; grown; ) {
            grown = false;
            for (let cell = 0; cell < terrain.length; cell++) {
              if (reached.has(cell) || terrain[cell] !== terrain[start]) continue;
              if (!neighbours(grid, cell).some((next) => reached.has(next))) continue;
              reached.add(cell);
              grown = true;
            }
          }
          expect(new Set(floodFill(grid, terrain, start))).toEqual(reached);
        },
      ),
    );
  });

  test('a brush of one step is the cell and its neighbours', () => {
    fc.assert(
      fc.property(gridAndCells, ([grid, cell]) => {
        expect(new Set(brushCells(grid, cell, 1))).toEqual(new Set([cell, ...neighbours(grid, cell)]));
        expect(brushCells(grid, cell, 0)).toEqual([cell]);
      }),
    );
  });

  test('symmetric cells name each other, unless one has fallen off the grid', () => {
    fc.assert(
      fc.property(gridAndCells, ([grid, cell]) => {
        for (const symmetry of symmetriesOf(grid)) {
          const found = symmetricCells(grid, cell, symmetry);
          expect(found).toContain(cell);
          const square = grid.cols === grid.rows || grid.cells !== 'square';
          if (square) for (const one of found) expect(symmetricCells(grid, one, symmetry)).toContain(cell);
        }
      }),
    );
  });

  test('a rectangle has both corners', () => {
    fc.assert(
      fc.property(gridAndCells, ([grid, from, to]) => {
        const found = rectCells(grid, from, to);
        expect(found).toContain(from);
        expect(found).toContain(to);
        expect(rectCells(grid, to, from)).toEqual(found);
      }),
    );
  });
});

describe('outlines', () => {
  const area = (loop: readonly { x: number; y: number }[]): number =>
    loop.reduce((sum, { x, y }, at) => {
      const next = loop[(at + 1) % loop.length] ?? { x, y };
      return sum + (x * next.y - next.x * y) / 2;
    }, 0);

  test('loops enclose as much as their cells', () => {
    fc.assert(
      fc.property(terrains(), ([grid, terrain]) => {
        const one = area(cornersOf(grid));
        const cells = cellsOfTerrain(terrain, 1);
        const loops = boundaryLoops(grid, (cell) => terrain[cell] === 1);
        expect(loops.reduce((sum, loop) => sum + area(loop), 0)).toBeCloseTo(cells.length * one, 6);
      }),
    );
  });

  test('one area of many cells is one outline', () => {
    for (const cells of CELL_KINDS) {
      const grid = placeGrid({ cells, cols: 30, rows: 20 }, { x: 0, y: 0, w: 100, h: 100 }, 0);
      expect(areaPath(grid, () => true).filter(([name]) => name === 'M')).toHaveLength(1);
    }
  });

  test('lines draw every side once', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const placed = placeGrid(grid, { x: 0, y: 0, w: 100, h: 100 }, 0);
        let sides = 0;
        for (let cell = 0; cell < countOf(grid); cell++) {
          for (let side = 0; side < sidesOf(grid); side++) {
            const next = neighbour(grid, cell, side);
            if (next === undefined || next > cell) sides++;
          }
        }
        expect(linePath(placed).filter(([name]) => name === 'L')).toHaveLength(sides);
      }),
    );
  });
});

describe('names of cells', () => {
  test('a name leads back to its cell', () => {
    fc.assert(
      fc.property(gridAndCells, ([grid, cell]) => {
        for (const labels of ['A1', '0101'] as const)
          expect(cellNamed(grid, cellName(grid, cell, labels))).toBe(cell);
      }),
    );
    expect([0, 25, 26, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
  });

  test('ranges are rectangles, and what cannot be read is refused', () => {
    const grid: CellGrid = { cells: 'square', cols: 5, rows: 5 };
    expect(cellsOfRange(grid, 'A1:B2, E5')).toEqual([0, 1, 5, 6, 24]);
    expect(cellsOfRange(grid, 'B2:A1')).toEqual([0, 1, 5, 6]);
    expect(cellsOfRange(grid, 'A1, Z9')).toBeUndefined();
    expect(cellsOfRange(grid, 'somewhere')).toBeUndefined();
  });
});
