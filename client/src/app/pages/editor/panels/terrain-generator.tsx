import { Button, Checkbox, TextInput } from '@mantine/core';
import { Dices, Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { MAX_CLUMPING } from '../../../../core/board/generate-terrain.ts';
import type { Terrain } from '../../../../core/scene/terrain.ts';
import type { MapZone } from '../../../../core/scene/zones/map.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { useMapNow } from '../state/map-painting.ts';
import { type FillSettings, firstSettings, TerrainGeneration } from '../state/terrain-generation.ts';
import { FoldingSection, Pair, SelectField } from './fields.tsx';
import css from './map-fields.module.css';
import { NumberField } from './number-field.tsx';
import { MAX_SEED_LENGTH, newSeed } from './seed.ts';
import { SymmetryField } from './symmetry-field.tsx';

/** Most pairs of terrains that are kept apart. */
const MAX_APART = 20;

interface Props {
  readonly settings: FillSettings;
  readonly terrains: readonly Terrain[];
  readonly change: (change: Partial<FillSettings>) => void;
}

/** Percent of the cells for each terrain. */
function ShareFields({ settings, terrains, change }: Props) {
  return (
    <div className={css.shares}>
      {terrains.map(({ symbol, name }) => (
        <NumberField
          key={symbol}
          label={name}
          unit="%"
          step={5}
          min={0}
          max={100}
          value={settings.shares[symbol] ?? 0}
          onChange={(share) => change({ shares: { ...settings.shares, [symbol]: share } })}
        />
      ))}
    </div>
  );
}

/** Pairs of terrains that never lie side by side. */
function ApartFields({ settings, terrains, change }: Props) {
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

/** Fills a map at random; once filled, it follows the settings. */
export function TerrainGenerator({ zone: shown, model }: { zone: MapZone; model: EditorModel }) {
  const zone = useMapNow(model, shown);
  const [open, setOpen] = useState(false);
  const [settings, setSettings] = useState(() => firstSettings(zone));
  const [missing, setMissing] = useState<ReadonlyMap<string, number>>(new Map());
  const generation = useRef<TerrainGeneration>(undefined);
  const live = generation.current?.goesOnWith(zone) === true;
  const fill = (wanted: FillSettings) => {
    if (!generation.current?.goesOnWith(zone)) generation.current = new TerrainGeneration(model, zone);
    setMissing(generation.current.fill(wanted));
  };
  const change = (part: Partial<FillSettings>) => {
    const wanted = { ...settings, ...part };
    setSettings(wanted);
    if (live) fill(wanted);
  };
  const parts = { settings, terrains: zone.terrains, change };
  return (
    <FoldingSection title="Fill at random" open={open} onToggle={() => setOpen(!open)}>
      <ShareFields {...parts} />
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
          cells={zone.cells}
          value={settings.symmetry}
          onChange={(symmetry) => change({ symmetry })}
        />
      </Pair>
      <ApartFields {...parts} />
      <Checkbox
        size="xs"
        label="Fill empty cells only"
        checked={settings.emptyOnly}
        onChange={(event) => change({ emptyOnly: event.currentTarget.checked })}
      />
      <TextInput
        size="xs"
        label="Seed"
        description="The same seed and settings make the same map."
        maxLength={MAX_SEED_LENGTH}
        value={settings.seed}
        onChange={(event) => change({ seed: event.currentTarget.value })}
      />
      <div className={css.row}>
        <Button size="compact-xs" disabled={zone.terrains.length === 0} onClick={() => fill(settings)}>
          Fill map
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Dices size={14} aria-hidden />}
          disabled={zone.terrains.length === 0}
          onClick={() => {
            const wanted = { ...settings, seed: newSeed() };
            setSettings(wanted);
            fill(wanted);
          }}
        >
          Another one
        </Button>
      </div>
      <p role="status" className={css.missing}>
        {live &&
          [...missing]
            .map(([symbol, count]) => {
              const name = zone.terrains.find((terrain) => terrain.symbol === symbol)?.name ?? '';
              return `${count} ${count === 1 ? 'cell' : 'cells'} of ${name} found no place.`;
            })
            .join(' ')}
      </p>
    </FoldingSection>
  );
}
