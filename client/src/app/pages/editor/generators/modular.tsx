import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { Puzzle } from 'lucide-react';
import { useEffect } from 'react';
import {
  MAX_RINGS,
  MAX_TILES_ASIDE,
  MODULAR_CELLS,
  type ModularCells,
  type ModularSettings,
} from '../../../../core/board/modular.ts';
import {
  dealtBoard,
  type ModularContent,
  type ModularTile,
  modularZones,
} from '../../../../core/generators/modular-zones.ts';
import { STARTING_TERRAINS } from '../../../../core/scene/board/terrain.ts';
import { sameDocument } from '../../../../core/scene/changes/same-document.ts';
import { MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import { cutText } from '../../../../core/text/cut-text.ts';
import { useComponents } from '../../../../data/project/queries.ts';
import { useProjectPlace } from '../../../images/project-place.ts';
import { Pair, SelectField } from '../panels/fields/fields.tsx';
import { NumberField } from '../panels/fields/number-field.tsx';
import css from '../panels/map/map-fields.module.css';
import { AnotherOne } from '../panels/terrain/another-one.tsx';
import { MAX_SEED_LENGTH } from '../panels/terrain/seed.ts';
import { type TileSet, useTileSet } from './component-tiles.ts';
import { anyGenerator, type SettingsFieldsProps } from './generator.ts';

interface ModularFill extends ModularSettings {
  /** Id of the component whose rows are the tiles; empty for those of `names`. */
  readonly from: string;
  /** Its rows, once they are read. */
  readonly set?: TileSet | undefined;
  /** One tile a line, with its number of copies behind a cross. */
  readonly names: string;
  /** Width of those tiles, in millimetres. */
  readonly width: number;
}

const MAX_LINES = 40;
const MAX_NAMES_LENGTH = MAX_LINES * 60;
const MAX_COPIES = 200;
/** Degrees between the hues of tiles that no terrain is called like. */
const HUE_STEP = 137.5;
const CELL_WORDS: Readonly<Record<ModularCells, string>> = {
  square: 'Squares',
  'hex-pointy': 'Hexagons, point up',
  'hex-flat': 'Hexagons, side up',
};
/** Height of a tile that is one wide. */
const HEIGHTS: Readonly<Record<ModularCells, number>> = {
  square: 1,
  'hex-pointy': 2 / Math.sqrt(3),
  'hex-flat': Math.sqrt(3) / 2,
};

/** The tiles of a list: `Forest × 4`. */
function namedTiles(names: string): ModularTile[] {
  const lines = names.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, MAX_LINES).map((line, at) => {
    const [, name = '', count = '1'] = /^(.*?)(?:\s*[×x*]\s*(\d+))?\s*$/.exec(line.trim()) ?? [];
    const like = STARTING_TERRAINS.find((one) => one.name.toLowerCase() === name.toLowerCase());
    return {
      name: cutText(name, MAX_NAME_LENGTH - 8) || `Tile ${at + 1}`,
      copies: Math.min(MAX_COPIES, Number(count)),
      colour: like?.color ?? `hsl(${Math.round(at * HUE_STEP) % 360}, 45%, 80%)`,
    };
  });
}

/** Tiles of a component, or those that are named while there is none. */
function contentOf(settings: ModularFill): ModularContent {
  const own = settings.from === '' ? undefined : settings.set;
  const cells = own?.cells ?? settings.cells;
  return {
    ...settings,
    name: 'Tiles',
    cells,
    size: own?.size ?? { w: settings.width, h: settings.width * HEIGHTS[cells] },
    tiles: own?.tiles ?? (settings.from === '' ? namedTiles(settings.names) : []),
  };
}

const tilesIn = (count: number): string => `${count} ${count === 1 ? 'tile' : 'tiles'}`;

/** Tiles without a place, places without a tile. */
function Fit({ settings }: { settings: ModularFill }) {
  const { left, empty } = dealtBoard(contentOf(settings));
  const words = [
    settings.from !== '' && !settings.set && 'This component has no rows with a layout yet.',
    left > 0 && `${tilesIn(left)} found no place.`,
    empty > 0 && `${empty} ${empty === 1 ? 'place is' : 'places are'} empty.`,
  ].filter(Boolean);
  return (
    <p className={css.missing} aria-live="polite">
      {words.join(' ')}
    </p>
  );
}

/** The tiles: rows of a component of this project, or a list of names. */
function TileFields({ settings, onChange }: Pick<SettingsFieldsProps<ModularFill>, 'settings' | 'onChange'>) {
  const set = (change: Partial<ModularFill>) => onChange({ ...settings, ...change });
  const project = useProjectPlace()?.project;
  const components = useComponents(project).data?.items ?? [];
  const rows = useTileSet(project, settings.from);
  useEffect(() => {
    if (settings.from !== '' && rows && !sameDocument(settings.set, rows))
      onChange({ ...settings, set: rows });
  }, [settings, rows, onChange]);
  const named = settings.from === '';
  return (
    <>
      {components.length > 0 && (
        <SelectField
          label="Tiles"
          value={settings.from}
          options={[
            { value: '', label: 'A list of names' },
            ...components.map(({ id, name }) => ({ value: id, label: `Rows of ${name}` })),
          ]}
          onChange={(from) => set({ from, set: undefined })}
        />
      )}
      {named && (
        <>
          <Textarea
            size="xs"
            label="Names"
            description="One a line, with the number of copies: Forest × 4."
            autosize
            minRows={4}
            maxRows={10}
            maxLength={MAX_NAMES_LENGTH}
            value={settings.names}
            onChange={(event) => set({ names: event.currentTarget.value })}
          />
          <Pair>
            <SelectField
              label="Shape"
              value={settings.cells}
              options={MODULAR_CELLS.map((value) => ({ value, label: CELL_WORDS[value] }))}
              onChange={(cells) => set({ cells })}
            />
            <NumberField
              label="Tile width"
              unit="mm"
              step={1}
              min={5}
              max={300}
              value={settings.width}
              onChange={(width) => set({ width })}
            />
          </Pair>
        </>
      )}
    </>
  );
}

function ModularFields({ settings, onChange }: SettingsFieldsProps<ModularFill>) {
  const set = (change: Partial<ModularFill>) => onChange({ ...settings, ...change });
  const hexagons = contentOf(settings).cells !== 'square';
  const rings = hexagons && settings.shape === 'rings';
  return (
    <>
      <TileFields settings={settings} onChange={onChange} />
      {hexagons && (
        <SelectField
          label="Laid out in"
          value={settings.shape}
          options={[
            { value: 'rings', label: 'Rings around a tile' },
            { value: 'rows', label: 'Rows' },
          ]}
          onChange={(shape) => set({ shape })}
        />
      )}
      <Pair>
        {rings ? (
          <NumberField
            label="Rings"
            whole
            min={1}
            max={MAX_RINGS}
            value={settings.rings}
            onChange={(value) => set({ rings: value })}
          />
        ) : (
          (['columns', 'rows'] as const).map((key) => (
            <NumberField
              key={key}
              label={key === 'columns' ? 'Across' : 'Down'}
              whole
              min={1}
              max={MAX_TILES_ASIDE}
              value={settings[key]}
              onChange={(value) => set({ [key]: value })}
            />
          ))
        )}
        <NumberField
          label="Gap"
          unit="mm"
          min={0}
          max={50}
          value={settings.gap}
          onChange={(gap) => set({ gap })}
        />
        <TextInput
          size="xs"
          label="Seed"
          maxLength={MAX_SEED_LENGTH}
          value={settings.seed}
          onChange={(event) => set({ seed: event.currentTarget.value })}
        />
      </Pair>
      <Checkbox
        size="sm"
        label="Shuffle the tiles"
        checked={settings.shuffles}
        onChange={(event) => set({ shuffles: event.currentTarget.checked })}
      />
      <Checkbox
        size="sm"
        label="Turn them at random"
        checked={settings.turns}
        onChange={(event) => set({ turns: event.currentTarget.checked })}
      />
      <Fit settings={settings} />
      <div className={css.row}>
        <AnotherOne onSeed={(seed) => set({ seed })} />
      </div>
    </>
  );
}

/** A board put together from tiles. */
export const MODULAR = anyGenerator<ModularFill>({
  id: 'modular',
  name: 'Tiles',
  label: 'Add a board of tiles',
  icon: Puzzle,
  first: {
    from: '',
    names: 'Forest × 4\nPlain × 4\nHills × 3\nMountains × 3\nWater × 4\nTown × 1',
    width: 30,
    seed: '1',
    cells: 'hex-pointy',
    shape: 'rings',
    rings: 2,
    columns: 4,
    rows: 3,
    gap: 0,
    shuffles: true,
    turns: false,
  },
  make: (box, settings, newId) =>
    modularZones(
      box,
      contentOf(settings),
      { line: '#4a4f5c', type: { family: 'alegreya-sc', weight: 700, size: 9, color: '#2b2d42' } },
      newId,
    ),
  Fields: ModularFields,
});
