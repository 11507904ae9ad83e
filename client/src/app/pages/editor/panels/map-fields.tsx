import { MAX_MAP_CELLS, sidesOf } from '../../../../core/board/grid.ts';
import { sizeFor } from '../../../../core/board/placing.ts';
import { gridOf, type MapZone, placedGridOf } from '../../../../core/scene/zones/map.ts';
import { paintedMap } from '../state/map-painting.ts';
import type { ZoneFieldsProps } from '../zone-parts/zone-part.ts';
import { CellLineFields } from './cell-line-fields.tsx';
import { CellOverrideFields } from './cell-override-fields.tsx';
import { EdgeFields } from './edge-fields.tsx';
import { ColorField, LengthField, Pair, Section, SelectField } from './fields.tsx';
import { MapFileFields } from './map-file-fields.tsx';
import { MapSpaceFields } from './map-space-fields.tsx';
import { MapTools } from './map-tools.tsx';
import { NumberField } from './number-field.tsx';
import { setterOf } from './set-property.ts';
import { TerrainFields } from './terrain-fields.tsx';
import { TerrainGenerator } from './terrain-generator.tsx';

const MAX_PITCH_MM = 500;
const CELL_WORDS = [
  { value: 'square', label: 'Squares' },
  { value: 'offset', label: 'Squares, every other row shifted' },
  { value: 'hex-pointy', label: 'Hexagons, point up' },
  { value: 'hex-flat', label: 'Hexagons, side up' },
] as const;
const LABEL_WORDS = [
  { value: 'none', label: 'None' },
  { value: 'A1', label: 'A1' },
  { value: '0101', label: '0101' },
] as const;

const RIM_WORDS = [
  { value: 'whole', label: 'Whole cells' },
  { value: 'cut', label: 'Cut straight' },
] as const;

/** Fits the zone to cells of a width, about its top left corner. */
function fitTo(zone: MapZone, pitch: number): void {
  const { w, h } = sizeFor(gridOf(zone), pitch, zone.gap, zone.rims);
  Object.assign(zone, { w, h });
}

/** Columns, rows and width of cells: the zone grows and shrinks with them, so that the cells keep their width. */
function CellFields({ zone, model }: ZoneFieldsProps<'map'>) {
  const set = setterOf(model, zone);
  const { pitch } = placedGridOf(zone, zone);
  const act = (recipe: (draft: MapZone) => void, mergeKey: string) =>
    model.actOn<MapZone>(zone.id, recipe, mergeKey);
  const refit =
    <K extends 'cells' | 'cols' | 'rows' | 'gap' | 'rims'>(key: K) =>
    (value: MapZone[K]) =>
      act((draft) => {
        const sides = sidesOf(draft);
        draft[key] = value;
        // Lines along six sides have no place along four.
        if (sidesOf(draft) !== sides) draft.edges = '';
        fitTo(draft, pitch);
      }, key);
  return (
    <Section title="Map">
      <SelectField label="Cells" value={zone.cells} options={CELL_WORDS} onChange={refit('cells')} />
      <Pair>
        <NumberField
          label="Columns"
          whole
          min={1}
          max={Math.floor(MAX_MAP_CELLS / zone.rows)}
          value={zone.cols}
          onChange={refit('cols')}
        />
        <NumberField
          label="Rows"
          whole
          min={1}
          max={Math.floor(MAX_MAP_CELLS / zone.cols)}
          value={zone.rows}
          onChange={refit('rows')}
        />
        <LengthField
          label="Cell width"
          model={model}
          min={0.5}
          max={MAX_PITCH_MM}
          value={pitch}
          onChange={(value) => act((draft) => fitTo(draft, value), 'pitch')}
        />
        <LengthField
          label="Gap"
          model={model}
          min={0}
          max={MAX_PITCH_MM}
          value={zone.gap}
          onChange={refit('gap')}
        />
        {zone.cells !== 'square' && (
          <SelectField label="Rims" value={zone.rims} options={RIM_WORDS} onChange={refit('rims')} />
        )}
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
  return (
    <>
      <CellFields {...props} />
      <MapTools zone={props.zone} model={props.model} />
      <TerrainFields {...props} />
      <EdgeFields {...props} />
      <CellOverrideFields key={`${props.zone.id} cells`} {...props} />
      <MapSpaceFields {...props} />
      {paintedMap(props.model)?.id === props.zone.id && (
        <TerrainGenerator key={props.zone.id} zone={props.zone} model={props.model} />
      )}
      <MapFileFields key={`${props.zone.id} file`} {...props} />
    </>
  );
}
