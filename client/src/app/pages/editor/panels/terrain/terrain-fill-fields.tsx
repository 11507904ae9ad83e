import { Button, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { MAX_CLUMPING } from '../../../../../core/board/generate-terrain.ts';
import { type CellGrid, countOf } from '../../../../../core/board/grid.ts';
import { type FillSettings, inAmounts } from '../../../../../core/board/terrain-fill.ts';
import type { Terrain } from '../../../../../core/scene/board/terrain.ts';
import { Pair, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { SymmetryField } from '../fields/symmetry-field.tsx';
import css from '../map/map-fields.module.css';
import { MAX_SEED_LENGTH } from './seed.ts';

/** Most pairs of terrains that are kept apart. */
const MAX_APART = 20;

interface Props {
  readonly grid: CellGrid;
  readonly settings: FillSettings;
  readonly terrains: readonly Terrain[];
  readonly change: (change: Partial<FillSettings>) => void;
}

/** Amount of each terrain. */
function ShareFields({ grid, settings, terrains, change }: Props) {
  const percent = settings.amounts === 'percent';
  return (
    <div className={css.shares}>
      {terrains.map(({ symbol, name }) => (
        <NumberField
          key={symbol}
          label={name}
          {...(percent ? { unit: '%', step: 5 } : { whole: true })}
          min={0}
          max={percent ? 100 : countOf(grid)}
          value={settings.shares[symbol] ?? 0}
          onChange={(share) => change({ shares: { ...settings.shares, [symbol]: share } })}
        />
      ))}
    </div>
  );
}

/** Pairs of terrains that never lie side by side. */
function ApartFields({ settings, terrains, change }: Omit<Props, 'grid'>) {
  const [one, setOne] = useState(terrains[0]?.symbol ?? '');
  const [other, setOther] = useState(terrains[1]?.symbol ?? one);
  const options = terrains.map(({ symbol, name }) => ({ value: symbol, label: name }));
  const nameOf = (wanted: string) => terrains.find(({ symbol }) => symbol === wanted)?.name ?? 'a terrain';
  const same = ([a, b]: readonly [string, string]) =>
    (a === one && b === other) || (a === other && b === one);
  return (
    <>
      <ul className={css.apart} aria-label="Terrains that never touch">
        {settings.apart.map((pair) => {
          const words = `${nameOf(pair[0])} never beside ${nameOf(pair[1])}`;
          return (
            <li key={pair.join('')}>
              <span>{words}</span>
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                aria-label={`Remove: ${words}`}
                onClick={() => change({ apart: settings.apart.filter((kept) => kept !== pair) })}
              >
                <X size={14} aria-hidden />
              </Button>
            </li>
          );
        })}
      </ul>
      <Pair>
        <SelectField label="Keep" value={one} options={options} onChange={setOne} />
        <SelectField label="Never beside" value={other} options={options} onChange={setOther} />
      </Pair>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={settings.apart.length >= MAX_APART || settings.apart.some(same)}
        onClick={() => change({ apart: [...settings.apart, [one, other]] })}
      >
        Keep apart
      </Button>
    </>
  );
}

/** Settings for terrain at random: amounts, patches, what never touches, and the seed. */
export function TerrainFillFields({ grid, settings, terrains, change }: Props) {
  return (
    <>
      <SelectField
        label="Amounts in"
        value={settings.amounts}
        options={[
          { value: 'percent', label: 'Percent of the cells' },
          { value: 'cells', label: 'Numbers of cells' },
        ]}
        onChange={(amounts) => change(inAmounts(grid, settings, amounts))}
      />
      <ShareFields grid={grid} settings={settings} terrains={terrains} change={change} />
      <Pair>
        <NumberField
          label="Clumping"
          whole
          min={0}
          max={MAX_CLUMPING}
          value={settings.clumping}
          onChange={(clumping) => change({ clumping })}
        />
        <SymmetryField
          cells={grid.cells}
          value={settings.symmetry}
          onChange={(symmetry) => change({ symmetry })}
        />
      </Pair>
      <ApartFields settings={settings} terrains={terrains} change={change} />
      <TextInput
        size="xs"
        label="Seed"
        description="The same seed and settings make the same map."
        maxLength={MAX_SEED_LENGTH}
        value={settings.seed}
        onChange={(event) => change({ seed: event.currentTarget.value })}
      />
    </>
  );
}

/** Tells the cells of each terrain that found no place, by symbol. */
export function MissingTerrain({
  missing,
  terrains,
}: {
  missing: ReadonlyMap<string, number>;
  terrains: readonly Terrain[];
}) {
  return (
    <p role="status" className={css.missing}>
      {[...missing]
        .map(([symbol, count]) => {
          const name = terrains.find((terrain) => terrain.symbol === symbol)?.name ?? '';
          return `${count} ${count === 1 ? 'cell' : 'cells'} of ${name} found no place.`;
        })
        .join(' ')}
    </p>
  );
}
