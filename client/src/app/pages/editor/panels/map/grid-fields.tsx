import { MAX_MAP_CELLS } from '../../../../../core/board/grid.ts';
import type { MapZone } from '../../../../../core/scene/zones/map.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { LengthField, Pair, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';

const MAX_PITCH_MM = 500;
const CELL_WORDS = [
  { value: 'square', label: 'Squares' },
  { value: 'offset', label: 'Squares, every other row shifted' },
  { value: 'hex-pointy', label: 'Hexagons, point up' },
  { value: 'hex-flat', label: 'Hexagons, side up' },
] as const;
const RIM_WORDS = [
  { value: 'whole', label: 'Whole cells' },
  { value: 'cut', label: 'Cut straight' },
] as const;

/** Cells of a map, their number and their size. */
export interface GridShape extends Pick<MapZone, 'cells' | 'cols' | 'rows' | 'rims'> {
  /** Width of a cell across its sides, in millimetres. */
  readonly pitch: number;
  readonly gap: number;
}

/** Kind, number and size of a map's cells. One property changes at a time. */
export function GridFields({
  model,
  grid,
  onChange,
}: {
  model: EditorModel;
  grid: GridShape;
  onChange: (change: Partial<GridShape>) => void;
}) {
  return (
    <>
      <SelectField
        label="Cells"
        value={grid.cells}
        options={CELL_WORDS}
        onChange={(cells) => onChange({ cells })}
      />
      <Pair>
        <NumberField
          label="Columns"
          whole
          min={1}
          max={Math.floor(MAX_MAP_CELLS / grid.rows)}
          value={grid.cols}
          onChange={(cols) => onChange({ cols })}
        />
        <NumberField
          label="Rows"
          whole
          min={1}
          max={Math.floor(MAX_MAP_CELLS / grid.cols)}
          value={grid.rows}
          onChange={(rows) => onChange({ rows })}
        />
        <LengthField
          label="Cell width"
          model={model}
          min={0.5}
          max={MAX_PITCH_MM}
          value={grid.pitch}
          onChange={(pitch) => onChange({ pitch })}
        />
        <LengthField
          label="Gap"
          model={model}
          min={0}
          max={MAX_PITCH_MM}
          value={grid.gap}
          onChange={(gap) => onChange({ gap })}
        />
        {grid.cells !== 'square' && (
          <SelectField
            label="Rims"
            value={grid.rims}
            options={RIM_WORDS}
            onChange={(rims) => onChange({ rims })}
          />
        )}
      </Pair>
    </>
  );
}
