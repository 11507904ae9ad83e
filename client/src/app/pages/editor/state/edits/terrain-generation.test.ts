import { expect, test } from 'vitest';
import { decodeTerrain, terrainNumber } from '../../../../../core/board/terrain-data.ts';
import { firstFill } from '../../../../../core/board/terrain-fill.ts';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import { gridOf, type MapZone } from '../../../../../core/scene/zones/map.ts';
import { newZone } from '../../../../../core/scene/zones.ts';
import { EditorModel } from '../editor-store.ts';
import { paintCells } from './map-painting.ts';
import { TerrainGeneration } from './terrain-generation.ts';

function start() {
  const map = newZone('map', 'm', 'Map', { x: 0, y: 0, w: 50, h: 50 });
  const model = new EditorModel({ ...newLayout('Board'), zones: [map] });
  const zone = () => model.state.scene.zones[0] as MapZone;
  const count = (symbol: string) =>
    decodeTerrain(gridOf(zone()), zone().data).filter((cell) => cell === terrainNumber(symbol)).length;
  return { model, zone, count };
}

test('trying settings again and again is one undo', () => {
  const { model, zone, count } = start();
  paintCells(model, 'm', [3], 'H');
  const before = zone().data;
  const generation = new TerrainGeneration(model, zone());
  const settings = firstFill(zone().terrains);
  for (const seed of ['1', '2', '3']) generation.fill({ ...settings, seed });
  // Nine by seven cells: 40 and 25 percent of 63.
  expect([count('A'), count('B'), count('H')]).toEqual([25, 16, 0]);
  model.undo();
  expect(zone().data).toBe(before);
});

test('what was painted stays where only empty cells are filled, on every try', () => {
  const { model, zone, count } = start();
  paintCells(model, 'm', [0, 1, 2], 'H');
  const generation = new TerrainGeneration(model, zone());
  for (const seed of ['1', '2']) generation.fill({ ...firstFill(zone().terrains), seed, emptyOnly: true });
  expect([count('H'), count('A')]).toEqual([3, 24]);
});

test('it ends when somebody paints on', () => {
  const { model, zone } = start();
  const generation = new TerrainGeneration(model, zone());
  generation.fill(firstFill(zone().terrains));
  expect(generation.goesOnWith(zone())).toBe(true);
  paintCells(model, 'm', [0], zone().data.startsWith('A') ? 'B' : 'A');
  expect(generation.goesOnWith(zone())).toBe(false);
});

test('cells that find no place are told by their terrain', () => {
  const { model, zone, count } = start();
  const apart = [['A', 'A']] as const;
  const missing = new TerrainGeneration(model, zone()).fill({
    ...firstFill(zone().terrains),
    shares: { A: 100 },
    apart,
  });
  expect(missing.get('A')).toBe(63 - count('A'));
  expect(count('A')).toBeGreaterThan(0);
});
