import { TextInput } from '@mantine/core';
import { Repeat } from 'lucide-react';
import { MAX_ITEMS } from '../../../../core/scene/limits.ts';
import { newZone } from '../../../../core/scene/zones.ts';
import { LengthField, Pair, Section } from '../panels/fields/fields.tsx';
import { FormulaField } from '../panels/fields/formula-field.tsx';
import { setterOf } from '../panels/fields/set-property.ts';
import { FlowFields } from '../panels/placement/flow-fields.tsx';
import type { ZoneFieldsProps, ZonePart } from './zone-part.ts';

/** Source and arrangement of an iterator's items. */
function IteratorFields({ zone, model, data }: ZoneFieldsProps<'iterator'>) {
  const set = setterOf(model, zone);
  return (
    <Section title="Iterator">
      <FormulaField
        label={`List or number of items (up to ${MAX_ITEMS})`}
        value={zone.list}
        row={data.row}
        columns={data.columns}
        placeholder="split(tags)"
        onChange={set('list')}
      />
      <TextInput
        size="xs"
        label="Formulas inside call the item"
        value={zone.variable}
        maxLength={40}
        onChange={(event) => {
          const variable = event.currentTarget.value.trim();
          if (variable !== '') {
            set('variable')(variable);
          }
        }}
      />
      <Pair>
        <LengthField
          label="Item width"
          model={model}
          min={0}
          max={500}
          value={zone.itemW}
          onChange={set('itemW')}
        />
        <LengthField
          label="Item height"
          model={model}
          min={0}
          max={500}
          value={zone.itemH}
          onChange={set('itemH')}
        />
      </Pair>
      <FlowFields zone={zone} model={model} />
    </Section>
  );
}

export const ITERATOR: ZonePart<'iterator'> = {
  label: 'Iterator',
  icon: Repeat,
  add: { label: 'Add iterator', inBar: false },
  newSize: [0.7, 0.1],
  fill(zone, newId) {
    zone.children = [newZone('shape', newId(), 'Item', { x: 0, y: 0, w: zone.itemW, h: zone.itemH })];
  },
  driven: [],
  ownCorners: false,
  Fields: IteratorFields,
};
