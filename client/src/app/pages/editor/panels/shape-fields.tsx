import type { ShapeZone } from '../../../../core/scene/zone.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { Section, SelectField } from './fields.tsx';
import { NumberField } from './number-field.tsx';
import { RadiusFields } from './radius-fields.tsx';
import { setterOf } from './set-property.ts';

/** Form of a shape zone. */
export function ShapeFields({ zone, model }: { zone: ShapeZone; model: EditorModel }) {
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
