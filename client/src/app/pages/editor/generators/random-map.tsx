import { Hexagon } from 'lucide-react';
import { firstFill, missingTerrain } from '../../../../core/board/terrain-fill.ts';
import { cellsFor, type RandomMapSettings, randomMap } from '../../../../core/generators/random-map.ts';
import { STARTING_TERRAINS } from '../../../../core/scene/board/terrain.ts';
import { gridOf, placedGridOf } from '../../../../core/scene/zones/map.ts';
import { GridFields } from '../panels/map/grid-fields.tsx';
import css from '../panels/map/map-fields.module.css';
import { AnotherOne } from '../panels/terrain/another-one.tsx';
import { MissingTerrain, TerrainFillFields } from '../panels/terrain/terrain-fill-fields.tsx';
import { anyGenerator, type SettingsFieldsProps } from './generator.ts';

/** Parts of a millimetre that a width of cells read from their map is rounded to. */
const PARTS = 1e4;

function RandomMapFields({ settings, onChange, model, zone }: SettingsFieldsProps<RandomMapSettings>) {
  if (zone.kind !== 'map') return null;
  const { terrains } = zone;
  // Whoever drags the map larger keeps that size.
  const pitch = Math.round(placedGridOf(zone, zone).pitch * PARTS) / PARTS;
  const set = (change: Partial<RandomMapSettings>) => {
    const next = { ...settings, pitch, ...change };
    const known = terrains.map(({ symbol }) => [symbol, next.shares[symbol] ?? 0] as const);
    onChange({ ...next, shares: Object.fromEntries(known) });
  };
  const grid = gridOf(zone);
  return (
    <>
      <GridFields model={model} grid={{ ...settings, ...grid, pitch }} onChange={set} />
      <TerrainFillFields grid={grid} settings={settings} terrains={terrains} change={set} />
      <MissingTerrain missing={missingTerrain(grid, zone.data, settings)} terrains={terrains} />
      <div className={css.row}>
        <AnotherOne onSeed={(seed) => set({ seed })} />
      </div>
    </>
  );
}

const FIRST: RandomMapSettings = {
  ...firstFill(STARTING_TERRAINS),
  cells: 'hex-pointy',
  cols: 10,
  rows: 10,
  pitch: 20,
  gap: 0,
  rims: 'whole',
};

/** A map of hexagons or squares, with terrain at random. */
export const RANDOM_MAP = anyGenerator<RandomMapSettings>({
  id: 'random-map',
  name: 'Random map',
  label: 'Add a map from settings',
  icon: Hexagon,
  first: FIRST,
  firstIn: (box) => ({ ...FIRST, ...cellsFor(box, FIRST) }),
  makes: ['cells', 'cols', 'rows', 'gap', 'rims', 'data', 'edges'],
  make: (box, settings, newId) => randomMap(box, settings, 'Map', newId),
  Fields: RandomMapFields,
});
