import { Button, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { MAX_TERRAINS } from '../../../../core/board/terrain-data.ts';
import { MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import { freeSymbol, PATTERNS, type Pattern, type Terrain } from '../../../../core/scene/terrain.ts';
import type { MapZone } from '../../../../core/scene/zones/map.ts';
import { deleteTerrain, paintingOn, setPainting } from '../state/map-painting.ts';
import type { ZoneFieldsProps } from '../zone-parts/zone-part.ts';
import { ColorField, Pair, Section, SelectField } from './fields.tsx';
import css from './map-fields.module.css';
import { TerrainSwatch } from './terrain-swatch.tsx';

const PATTERN_WORDS: Readonly<Record<Pattern, string>> = {
  none: 'None',
  grass: 'Grass',
  trees: 'Trees',
  hills: 'Hills',
  peaks: 'Peaks',
  waves: 'Waves',
  dots: 'Dots',
  reeds: 'Reeds',
  houses: 'Houses',
  stones: 'Stones',
  crosses: 'Crosses',
  lines: 'Lines',
  snow: 'Snow',
};

/** Look of the chosen terrain. */
function TerrainForm({
  terrain,
  change,
}: {
  terrain: Terrain;
  change: (recipe: (draft: Terrain) => void, mergeKey: string) => void;
}) {
  return (
    <>
      <TextInput
        size="xs"
        label="Terrain name"
        value={terrain.name}
        maxLength={MAX_NAME_LENGTH}
        onChange={(event) => {
          const name = event.currentTarget.value;
          change((draft) => {
            draft.name = name;
          }, 'name');
        }}
      />
      <SelectField
        label="Pattern"
        value={terrain.pattern}
        options={PATTERNS.map((value) => ({ value, label: PATTERN_WORDS[value] }))}
        onChange={(pattern) =>
          change((draft) => {
            draft.pattern = pattern;
          }, 'pattern')
        }
      />
      <Pair>
        <ColorField
          label="Ground"
          value={terrain.color}
          onChange={(color) =>
            change((draft) => {
              draft.color = color;
            }, 'color')
          }
        />
        <ColorField
          label="Pattern colour"
          value={terrain.ink}
          onChange={(ink) =>
            change((draft) => {
              draft.ink = ink;
            }, 'ink')
          }
        />
      </Pair>
    </>
  );
}

/** Terrains of a map: choosing one shows its look. */
export function TerrainFields({ zone, model }: ZoneFieldsProps<'map'>) {
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
      draft.terrains.push({
        symbol,
        name: `Terrain ${draft.terrains.length + 1}`,
        color: '#dddddd',
        pattern: 'lines',
        ink: '#777777',
      });
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
        <TerrainForm
          key={terrain.symbol}
          terrain={terrain}
          change={(recipe, mergeKey) =>
            model.actOn<MapZone>(
              zone.id,
              (draft) => {
                const found = draft.terrains.find(({ symbol }) => symbol === terrain.symbol);
                if (found) recipe(found);
              },
              `${terrain.symbol} ${mergeKey}`,
            )
          }
        />
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
            aria-label={`Delete terrain ${terrain.name}: its cells become empty`}
            onClick={() => deleteTerrain(model, zone.id, terrain.symbol)}
          >
            Delete
          </Button>
        )}
      </div>
    </Section>
  );
}
