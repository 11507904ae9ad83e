import { Button, Checkbox } from '@mantine/core';
import { useRef, useState } from 'react';
import { type FillSettings, firstFill } from '../../../../../core/board/terrain-fill.ts';
import { gridOf, type MapZone } from '../../../../../core/scene/zones/map.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { useMapNow } from '../../state/edits/map-painting.ts';
import { TerrainGeneration } from '../../state/edits/terrain-generation.ts';
import { FoldingSection } from '../fields/fields.tsx';
import css from '../map/map-fields.module.css';
import { AnotherOne } from './another-one.tsx';
import { MissingTerrain, TerrainFillFields } from './terrain-fill-fields.tsx';

const NONE: ReadonlyMap<string, number> = new Map();

/** Fills a map at random; once filled, it follows the settings. */
export function TerrainGenerator({ zone: shown, model }: { zone: MapZone; model: EditorModel }) {
  const zone = useMapNow(model, shown);
  const [open, setOpen] = useState(false);
  const [settings, setSettings] = useState(() => firstFill(zone.terrains));
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
  return (
    <FoldingSection title="Fill at random" open={open} onToggle={() => setOpen(!open)}>
      <TerrainFillFields grid={gridOf(zone)} settings={settings} terrains={zone.terrains} change={change} />
      <Checkbox
        size="xs"
        label="Fill empty cells only"
        checked={settings.emptyOnly}
        onChange={(event) => change({ emptyOnly: event.currentTarget.checked })}
      />
      <div className={css.row}>
        <Button size="compact-xs" disabled={zone.terrains.length === 0} onClick={() => fill(settings)}>
          Fill map
        </Button>
        <AnotherOne
          disabled={zone.terrains.length === 0}
          onSeed={(seed) => {
            const wanted = { ...settings, seed };
            setSettings(wanted);
            fill(wanted);
          }}
        />
      </div>
      <MissingTerrain missing={live ? missing : NONE} terrains={zone.terrains} />
    </FoldingSection>
  );
}
