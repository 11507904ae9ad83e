import { useStore } from 'zustand';
import { MAX_TURN_DEG } from '../../../../../core/scene/style/paint.ts';
import type { Zone } from '../../../../../core/scene/zones.ts';
import type { EditorModel, LengthUnit } from '../../state/editor-store.ts';
import { LengthField, Pair, Section, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { setterOf } from '../fields/set-property.ts';
import { UNITS } from '../fields/units.ts';
import { ArrangeButtons } from './arrange-buttons.tsx';

/** Longest side of a zone, in millimetres. */
export const MAX_SIDE_MM = 2_000;

/** Position of a zone; the only fields that follow a drag. */
export function PlaceFields({ zone: stored, model }: { zone: Zone; model: EditorModel }) {
  const unit = useStore(model.store, (state) => state.unit);
  const moved = useStore(model.store, (state) => state.preview[stored.id]);
  const zone: Zone = moved ? { ...stored, ...moved } : stored;
  const set = setterOf(model, zone);
  return (
    <Section title="Place">
      <ArrangeButtons context={{ model, save: () => undefined }} several={false} />
      <Pair>
        <LengthField label="X" model={model} value={zone.x} onChange={set('x')} />
        <LengthField label="Y" model={model} value={zone.y} onChange={set('y')} />
        <LengthField
          label="Width"
          model={model}
          min={0}
          max={MAX_SIDE_MM}
          value={zone.w}
          onChange={set('w')}
        />
        <LengthField
          label="Height"
          model={model}
          min={0}
          max={MAX_SIDE_MM}
          value={zone.h}
          onChange={set('h')}
        />
        <NumberField
          label="Rotation"
          unit="°"
          step={5}
          min={-MAX_TURN_DEG}
          max={MAX_TURN_DEG}
          value={zone.rotation}
          onChange={set('rotation')}
        />
        <NumberField
          label="Opacity"
          unit="%"
          step={5}
          min={0}
          max={100}
          value={zone.opacity * 100}
          onChange={(value) => set('opacity')(Math.min(1, Math.max(0, value / 100)))}
        />
      </Pair>
      <SelectField
        label="Lengths in"
        value={unit}
        options={(Object.keys(UNITS) as LengthUnit[]).map((value) => ({ value, label: UNITS[value].name }))}
        onChange={(next) => model.view({ unit: next })}
      />
    </Section>
  );
}
