import { Checkbox } from '@mantine/core';
import { Group } from 'lucide-react';
import { Section, SelectField } from '../panels/fields/fields.tsx';
import { setterOf } from '../panels/fields/set-property.ts';
import { FlowFields } from '../panels/placement/flow-fields.tsx';
import type { ZoneFieldsProps, ZonePart } from './zone-part.ts';

/** Arrangement of a container's children. */
function ContainerFields({ zone, model }: ZoneFieldsProps<'container'>) {
  const set = setterOf(model, zone);
  return (
    <Section title="Container">
      <SelectField
        label="What it holds"
        value={zone.arrange}
        options={[
          { value: 'free', label: 'Stays where it is put' },
          { value: 'flex', label: 'Flows' },
        ]}
        onChange={set('arrange')}
      />
      {zone.arrange === 'flex' && <FlowFields zone={zone} model={model} />}
      <Checkbox
        size="sm"
        label="Cut at its edge"
        checked={zone.clip}
        onChange={(event) => set('clip')(event.currentTarget.checked)}
      />
    </Section>
  );
}

export const CONTAINER: ZonePart<'container'> = {
  label: 'Container',
  icon: Group,
  add: { label: 'Add container', key: 'C', inBar: false },
  newSize: [0.7, 0.3],
  fill: () => undefined,
  driven: [],
  ownCorners: false,
  Fields: ContainerFields,
};
