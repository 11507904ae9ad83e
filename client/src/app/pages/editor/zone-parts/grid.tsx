import { Grid3x3 } from 'lucide-react';
import { MAX_CELLS } from '../../../../core/scene/limits.ts';
import { ColorField, LengthField, Pair, Section, SelectField } from '../panels/fields/fields.tsx';
import { NumberField } from '../panels/fields/number-field.tsx';
import { setterOf } from '../panels/fields/set-property.ts';
import { CellLineFields } from '../panels/map/cell-line-fields.tsx';
import type { ZoneFieldsProps, ZonePart } from './zone-part.ts';

/** The cells of a grid. */
function GridFields({ zone, model }: ZoneFieldsProps<'grid'>) {
  const set = setterOf(model, zone);
  const count = (value: number) => Math.min(MAX_CELLS, Math.max(1, Math.round(value)));
  return (
    <Section title="Grid">
      <SelectField
        label="Cells"
        value={zone.cells}
        options={[
          { value: 'square', label: 'Rectangles' },
          { value: 'offset', label: 'Rectangles, every other row shifted' },
          { value: 'hex-pointy', label: 'Hexagons, point up' },
          { value: 'hex-flat', label: 'Hexagons, side up' },
        ]}
        onChange={set('cells')}
      />
      <Pair>
        <NumberField
          label="Columns"
          step={1}
          min={1}
          max={MAX_CELLS}
          value={zone.cols}
          onChange={(value) => set('cols')(count(value))}
        />
        <NumberField
          label="Rows"
          step={1}
          min={1}
          max={MAX_CELLS}
          value={zone.rows}
          onChange={(value) => set('rows')(count(value))}
        />
        <LengthField label="Gap" model={model} min={0} max={200} value={zone.gap} onChange={set('gap')} />
        <ColorField
          label="Cell colour"
          value={zone.cellFill.kind === 'solid' ? zone.cellFill.color : ''}
          onChange={(color) => set('cellFill')(color === '' ? { kind: 'none' } : { kind: 'solid', color })}
        />
        <CellLineFields zone={zone} model={model} />
      </Pair>
    </Section>
  );
}

export const GRID: ZonePart<'grid'> = {
  label: 'Grid',
  icon: Grid3x3,
  add: { label: 'Add grid', inBar: false },
  newSize: [0.7, 0.5],
  fill: () => undefined,
  driven: [
    ['cols', 'Columns'],
    ['rows', 'Rows'],
  ],
  ownCorners: false,
  Fields: GridFields,
};
