import { Button } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { MAX_TERRAINS } from '../../../../../core/board/terrain-data.ts';
import { freeSymbol, plainTerrain } from '../../../../../core/scene/board/terrain.ts';
import type { MapZone } from '../../../../../core/scene/zones/map.ts';
import { isolated } from '../../../../../core/text/names.ts';
import { deleteTerrain, paintingOn, setPainting } from '../../state/edits/map-painting.ts';
import type { ZoneFieldsProps } from '../../zone-parts/zone-part.ts';
import { Section } from '../fields/fields.tsx';
import css from '../map/map-fields.module.css';
import { TerrainForm } from './terrain-form.tsx';
import { TerrainSwatch } from './terrain-swatch.tsx';

/** Terrains of a map: choosing one shows its look. */
export function TerrainFields({ zone, model, data }: ZoneFieldsProps<'map'>) {
  const [own, setOwn] = useState(zone.terrains[0]?.symbol);
  const asked = useStore(model.store, (state) => state.painting);
  const painting = asked && paintingOn(zone, asked);
  // The terrain that is painted with is the one looked at.
  const chosen = painting ? painting.terrain : own;
  const setChosen = (symbol: string) => {
    setOwn(symbol);
    if (painting)
      setPainting(model, { terrain: symbol, ...(painting.tool === 'erase' && { tool: 'brush' as const }) });
  };
  const terrain = zone.terrains.find(({ symbol }) => symbol === chosen) ?? zone.terrains[0];
  const add = () => {
    const symbol = freeSymbol(zone.terrains);
    if (symbol === undefined) return;
    model.actOn<MapZone>(zone.id, (draft) => {
      draft.terrains.push(
        plainTerrain({
          symbol,
          name: `Terrain ${draft.terrains.length + 1}`,
          color: '#dddddd',
          pattern: 'lines',
          ink: '#777777',
        }),
      );
    });
    setChosen(symbol);
  };
  return (
    <Section title="Terrains">
      <ul className={css.terrains}>
        {zone.terrains.map((one) => (
          <li key={one.symbol}>
            <button
              type="button"
              className={css.terrain}
              aria-pressed={one.symbol === terrain?.symbol}
              onClick={() => setChosen(one.symbol)}
            >
              <TerrainSwatch terrain={one} />
              <span>{one.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {terrain && (
        <TerrainForm key={terrain.symbol} zone={zone} model={model} data={data} terrain={terrain} />
      )}
      <div className={css.row}>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          disabled={zone.terrains.length >= MAX_TERRAINS}
          onClick={add}
        >
          Add terrain
        </Button>
        {terrain && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<Trash2 size={14} aria-hidden />}
            aria-label={`Delete terrain ${isolated(terrain.name)}: its cells become empty`}
            onClick={() => deleteTerrain(model, zone.id, terrain.symbol)}
          >
            Delete
          </Button>
        )}
      </div>
    </Section>
  );
}
