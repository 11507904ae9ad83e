import { Shapes } from 'lucide-react';
import { Section, SelectField } from '../panels/fields/fields.tsx';
import { NumberField } from '../panels/fields/number-field.tsx';
import { setterOf } from '../panels/fields/set-property.ts';
import { RadiusFields } from '../panels/style/radius-fields.tsx';
import type { ZoneFieldsProps, ZonePart } from './zone-part.ts';

/** Form of a shape zone. */
function ShapeFields({ zone, model }: ZoneFieldsProps<'shape'>) {
  const set = setterOf(model, zone);
  return (
    <Section title="Shape">
      <SelectField
        label="Form"
        value={zone.shape}
        options={[
          { value: 'rect', label: 'Rectangle' },
          { value: 'ellipse', label: 'Ellipse' },
          { value: 'polygon', label: 'Polygon' },
          { value: 'star', label: 'Star' },
        ]}
        onChange={set('shape')}
      />
      {zone.shape === 'rect' && <RadiusFields zone={zone} model={model} />}
      {(zone.shape === 'polygon' || zone.shape === 'star') && (
        <NumberField
          label={zone.shape === 'star' ? 'Points' : 'Corners'}
          step={1}
          min={3}
          max={64}
          value={zone.points}
          onChange={(points) => set('points')(Math.min(64, Math.max(3, Math.round(points))))}
        />
      )}
    </Section>
  );
}

export const SHAPE: ZonePart<'shape'> = {
  label: 'Shape',
  icon: Shapes,
  add: { label: 'Add shape', key: 'S', inBar: true },
  newSize: [0.4, 0.25],
  fill: () => undefined,
  driven: [
    ['points', 'Points'],
    ['shape', 'Form'],
  ],
  ownCorners: true,
  Fields: ShapeFields,
};
