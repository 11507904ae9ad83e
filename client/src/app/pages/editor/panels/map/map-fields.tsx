import { sidesOf } from '../../../../../core/board/grid.ts';
import { sizeFor } from '../../../../../core/board/placing.ts';
import { gridOf, type MapZone, placedGridOf } from '../../../../../core/scene/zones/map.ts';
import { useGeneration } from '../../generators/use-generation.ts';
import { paintedMap } from '../../state/edits/map-painting.ts';
import type { ZoneFieldsProps } from '../../zone-parts/zone-part.ts';
import { ColorField, Pair, Section, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { setterOf } from '../fields/set-property.ts';
import { TerrainFields } from '../terrain/terrain-fields.tsx';
import { TerrainGenerator } from '../terrain/terrain-generator.tsx';
import { CellLineFields } from './cell-line-fields.tsx';
import { CellOverrideFields } from './cell-override-fields.tsx';
import { EdgeFields } from './edge-fields.tsx';
import { GridFields, type GridShape } from './grid-fields.tsx';
import { MapFileFields } from './map-file-fields.tsx';
import { MapSpaceFields } from './map-space-fields.tsx';
import { MapTools } from './map-tools.tsx';

const LABEL_WORDS = [
  { value: 'none', label: 'None' },
  { value: 'A1', label: 'A1' },
  { value: '0101', label: '0101' },
] as const;

/** Fits the zone to cells of a width, about its top left corner. */
function fitTo(zone: MapZone, pitch: number): void {
  const { w, h } = sizeFor(gridOf(zone), pitch, zone.gap, zone.rims);
  Object.assign(zone, { w, h });
}

/** Columns, rows and width of cells: the zone grows and shrinks with them, so that the cells keep their width. */
function OwnGrid({ zone, model }: Pick<ZoneFieldsProps<'map'>, 'zone' | 'model'>) {
  const { pitch } = placedGridOf(zone, zone);
  const change = ({ pitch: wanted = pitch, ...part }: Partial<GridShape>) =>
    model.actOn<MapZone>(
      zone.id,
      (draft) => {
        const sides = sidesOf(draft);
        Object.assign(draft, part);
        // Lines along six sides have no place along four.
        if (sidesOf(draft) !== sides) draft.edges = '';
        fitTo(draft, wanted);
      },
      Object.keys(part)[0] ?? 'pitch',
    );
  return <GridFields model={model} grid={{ ...zone, pitch }} onChange={change} />;
}

/** The cells and their look. @param settled its cells follow a generator's settings, which have fields of their own */
function CellFields({
  zone,
  model,
  settled,
}: Pick<ZoneFieldsProps<'map'>, 'zone' | 'model'> & { settled: boolean }) {
  const set = setterOf(model, zone);
  return (
    <Section title="Map">
      {!settled && <OwnGrid zone={zone} model={model} />}
      <Pair>
        <CellLineFields zone={zone} model={model} />
        <SelectField
          label="Names of cells"
          value={zone.labels}
          options={LABEL_WORDS}
          onChange={set('labels')}
        />
        {(zone.labels !== 'none' || zone.overrides.length > 0) && (
          <NumberField
            label="Name size"
            unit="pt"
            min={0.5}
            max={200}
            value={zone.labelSize}
            onChange={set('labelSize')}
          />
        )}
      </Pair>
      {(zone.labels !== 'none' || zone.overrides.length > 0) && (
        <ColorField label="Name colour" value={zone.labelColor} onChange={set('labelColor')} />
      )}
    </Section>
  );
}

/** Form of a map: its cells and its terrains. */
export function MapFields(props: ZoneFieldsProps<'map'>) {
  const settled = useGeneration(props.model, props.zone.id) !== undefined;
  return (
    <>
      <CellFields zone={props.zone} model={props.model} settled={settled} />
      <MapTools zone={props.zone} model={props.model} />
      <TerrainFields {...props} />
      <EdgeFields {...props} />
      <CellOverrideFields key={`${props.zone.id} cells`} {...props} />
      <MapSpaceFields {...props} />
      {!settled && paintedMap(props.model)?.id === props.zone.id && (
        <TerrainGenerator key={props.zone.id} zone={props.zone} model={props.model} />
      )}
      <MapFileFields key={`${props.zone.id} file`} {...props} />
    </>
  );
}
