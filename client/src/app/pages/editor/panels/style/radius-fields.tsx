import { useState } from 'react';
import type { Zone } from '../../../../../core/scene/zones.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { LengthField, Pair, SelectField } from '../fields/fields.tsx';

type Rounded = Extract<Zone, { radius: unknown }>;

const CORNERS = ['Top left', 'Top right', 'Bottom right', 'Bottom left'] as const;
const MAX_RADIUS_MM = 200;

/** Corner radii: all alike, or each for itself. */
export function RadiusFields({ zone, model }: { zone: Rounded; model: EditorModel }) {
  const alike = zone.radius.every((radius) => radius === zone.radius[0]);
  const [each, setEach] = useState(!alike);
  const set = (index: number | null) => (radius: number) =>
    model.actOn<Rounded>(
      zone.id,
      (draft) => {
        if (index === null) draft.radius = [radius, radius, radius, radius];
        else draft.radius[index] = radius;
      },
      `radius${index ?? ''}`,
    );
  return (
    <>
      <SelectField
        label="Corners"
        value={each ? 'each' : 'alike'}
        options={[
          { value: 'alike', label: 'All alike' },
          { value: 'each', label: 'Each for itself' },
        ]}
        onChange={(value) => {
          setEach(value === 'each');
          if (value === 'alike' && !alike) set(null)(zone.radius[0]);
        }}
      />
      {each ? (
        <Pair>
          {CORNERS.map((label, index) => (
            <LengthField
              key={label}
              label={label}
              model={model}
              min={0}
              max={MAX_RADIUS_MM}
              value={zone.radius[index] ?? 0}
              onChange={set(index)}
            />
          ))}
        </Pair>
      ) : (
        <LengthField
          label="Corner radius"
          model={model}
          min={0}
          max={MAX_RADIUS_MM}
          value={zone.radius[0]}
          onChange={set(null)}
        />
      )}
    </>
  );
}
