import { TextInput } from '@mantine/core';
import {
  PATTERNS,
  type Pattern,
  type Terrain,
  type TerrainFit,
} from '../../../../../core/scene/board/terrain.ts';
import { MAX_NAME_LENGTH } from '../../../../../core/scene/limits.ts';
import { MAX_SOURCE_LENGTH } from '../../../../../core/scene/style/paint.ts';
import type { MapZone } from '../../../../../core/scene/zones/map.ts';
import { ImageField } from '../../../../images/image-field.tsx';
import { pictureBinding } from '../../state/edits/map-painting.ts';
import { bind } from '../../state/zones/zones.ts';
import type { ZoneFieldsProps } from '../../zone-parts/zone-part.ts';
import { BindingField } from '../fields/binding-field.tsx';
import { ColorField, Pair, SelectField } from '../fields/fields.tsx';

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
const FIT_WORDS: Readonly<Record<TerrainFit, string>> = {
  cover: 'Fill the cell',
  contain: 'Show all of it',
  stretch: 'Stretch',
};

type Setter = <K extends keyof Terrain>(key: K) => (value: Terrain[K]) => void;

/** The picture that lies in every cell of a terrain: one of the project, or one that a column or a formula names. */
function PictureFields({
  zone,
  model,
  data,
  terrain,
  set,
}: ZoneFieldsProps<'map'> & { terrain: Terrain; set: Setter }) {
  const path = pictureBinding(terrain.symbol);
  const binding = zone.bindings[path];
  return (
    <>
      <BindingField
        label="Picture in the cells"
        customLabel="Own picture"
        binding={binding}
        data={data}
        onChange={(next, key) =>
          model.actOn<MapZone>(zone.id, (draft) => bind(draft, path, next), key && `${path} ${key}`)
        }
      />
      {!binding && (
        <ImageField
          label="Picture"
          maxLength={MAX_SOURCE_LENGTH}
          value={terrain.source}
          onChange={set('source')}
        />
      )}
      {(binding || terrain.source !== '') && (
        <SelectField
          label="In its cell"
          value={terrain.fit}
          options={Object.entries(FIT_WORDS).map(([value, label]) => ({ value: value as TerrainFit, label }))}
          onChange={set('fit')}
        />
      )}
    </>
  );
}

/** Look of one terrain. */
export function TerrainForm({ terrain, ...props }: ZoneFieldsProps<'map'> & { terrain: Terrain }) {
  const { zone, model } = props;
  const { symbol } = terrain;
  const set: Setter = (key) => (value) =>
    model.actOn<MapZone>(
      zone.id,
      (draft) => {
        const found = draft.terrains.find((one) => one.symbol === symbol);
        if (found) found[key] = value;
      },
      `${symbol} ${key}`,
    );
  // A picture takes the place of the pattern.
  const pictured = terrain.source !== '' || pictureBinding(symbol) in zone.bindings;
  return (
    <>
      <TextInput
        size="xs"
        label="Terrain name"
        value={terrain.name}
        maxLength={MAX_NAME_LENGTH}
        onChange={(event) => set('name')(event.currentTarget.value)}
      />
      <PictureFields {...props} terrain={terrain} set={set} />
      {!pictured && (
        <SelectField
          label="Pattern"
          value={terrain.pattern}
          options={PATTERNS.map((value) => ({ value, label: PATTERN_WORDS[value] }))}
          onChange={set('pattern')}
        />
      )}
      <Pair>
        <ColorField label="Colour" value={terrain.color} onChange={set('color')} />
        {!pictured && <ColorField label="Pattern colour" value={terrain.ink} onChange={set('ink')} />}
      </Pair>
    </>
  );
}
