import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quotasOf } from '../../../../core/board/generate-terrain.ts';
import { CELL_KINDS, countOf, neighbours } from '../../../../core/board/grid.ts';
import { cellsOfTerrain, decodeTerrain, terrainNumber } from '../../../../core/board/terrain-data.ts';
import { cellsFor, type RandomMapSettings } from '../../../../core/generators/random-map.ts';
import { layoutSchema } from '../../../../core/scene/layout.ts';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import { gridOf, type MapZone, placedGridOf } from '../../../../core/scene/zones/map.ts';
import { EditorModel } from '../state/editor-store.ts';
import { paintCells } from '../state/edits/map-painting.ts';
import { goesOn, regenerate, startGeneration } from './generation.ts';
import { RANDOM_MAP } from './random-map.tsx';

const sized = (w: number, h: number) => ({ preset: 'custom', w, h, shape: 'rect' as const, radius: 0 });

function started(w = 254, h = 254) {
  const model = new EditorModel(newLayout('Board', sized(w, h)));
  startGeneration(model, RANDOM_MAP);
  const now = () => {
    const { generation } = model.state;
    const map = model.state.scene.zones[0];
    if (!generation || map?.kind !== 'map') throw new Error('no map was made');
    return { generation, map, settings: generation.settings as RandomMapSettings };
  };
  const set = (change: Partial<RandomMapSettings>): MapZone => {
    const { generation, settings } = now();
    regenerate(model, generation, { ...settings, ...change });
    return now().map;
  };
  return { model, now, set };
}

const anySettings: fc.Arbitrary<Partial<RandomMapSettings>> = fc.record({
  seed: fc.string({ maxLength: 12 }),
  cells: fc.constantFrom(...CELL_KINDS),
  cols: fc.integer({ min: 1, max: 20 }),
  rows: fc.integer({ min: 1, max: 20 }),
  pitch: fc.integer({ min: 5, max: 60 }),
  gap: fc.integer({ min: 0, max: 4 }),
  rims: fc.constantFrom('whole', 'cut'),
  clumping: fc.integer({ min: 0, max: 10 }),
  amounts: fc.constantFrom('percent', 'cells'),
  shares: fc.record({ A: fc.nat(60), B: fc.nat(60), E: fc.nat(60) }),
});

test('the same settings make the same map on any board, of cells as wide as they say', () => {
  const [one, other] = [started(), started(400, 300)];
  fc.assert(
    fc.property(anySettings, (settings) => {
      const [a, b] = [one.set(settings), other.set(settings)];
      expect([a.data, a.cells, a.cols, a.rows]).toEqual([b.data, b.cells, b.cols, b.rows]);
      expect(placedGridOf(a, a).pitch).toBeCloseTo(settings.pitch ?? 0, 3);
      expect(layoutSchema.safeParse(one.model.state.scene).error?.issues ?? []).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('amounts are kept to the cell, and what is kept apart never touches', () => {
  const { set, now } = started();
  fc.assert(
    fc.property(anySettings, fc.boolean(), (settings, apart) => {
      const map = set({ ...settings, apart: apart ? [['A', 'E']] : [] });
      const grid = gridOf(map);
      const cells = decodeTerrain(grid, map.data);
      const { shares, amounts } = now().settings;
      const wanted = new Map(Object.entries(shares).map(([one, share]) => [terrainNumber(one), share]));
      const quotas = quotasOf(wanted, countOf(grid), amounts);
      const asked = [...quotas.values()].reduce((a, b) => a + b, 0);
      for (const [terrain, quota] of quotas) {
        const count = cellsOfTerrain(cells, terrain).length;
        expect(count).toBeLessThanOrEqual(quota);
        if (!apart && asked <= countOf(grid)) expect(count).toBe(quota);
      }
      if (!apart) return;
      for (const cell of cellsOfTerrain(cells, terrainNumber('A')))
        for (const next of neighbours(grid, cell)) expect(cells[next]).not.toBe(terrainNumber('E'));
    }),
    { numRuns: 150 },
  );
});

test('a board of any size is filled with whole cells', () => {
  const size = fc.double({ min: 8, max: 1_000, noNaN: true });
  fc.assert(
    fc.property(size, size, fc.constantFrom(...CELL_KINDS), (w, h, cells) => {
      const settings = { cells, pitch: 20, gap: 0, rims: 'whole' as const };
      const { cols, rows, pitch } = cellsFor({ w, h }, settings);
      const placed = placedGridOf(
        { ...settings, gap: 0 as MapZone['gap'], cols, rows },
        { x: 0, y: 0, w, h },
      );
      expect(placed.pitch).toBeGreaterThanOrEqual(pitch - 1e-6);
      // One more column or row would make them smaller.
      for (const more of [
        { cols: cols + 1, rows },
        { cols, rows: rows + 1 },
      ]) {
        const smaller = placedGridOf(
          { ...settings, gap: 0 as MapZone['gap'], ...more },
          { x: 0, y: 0, w, h },
        );
        expect(smaller.pitch).toBeLessThan(20);
      }
    }),
  );
});

test('its name, terrains and labels are its user’s, and stay; painting ends it', () => {
  const { model, now, set } = started();
  model.actOn<MapZone>(now().map.id, (map) => {
    map.name = 'Isle';
    map.labels = '0101';
    const [first] = map.terrains;
    if (first) first.name = 'Steppe';
  });
  expect(goesOn(model, now().generation)).toBe(true);
  const map = set({ seed: 'another', cols: 5 });
  expect([map.name, map.labels, map.terrains[0]?.name, map.cols]).toEqual(['Isle', '0101', 'Steppe', 5]);
  paintCells(model, map.id, [0], map.data.startsWith('H') ? 'A' : 'H');
  expect(goesOn(model, now().generation)).toBe(false);
});

test('all of it is one undo', () => {
  const { model, set } = started();
  for (const seed of ['2', '3', '4']) set({ seed, cols: 4 });
  model.undo();
  expect(model.state.scene.zones).toEqual([]);
});
