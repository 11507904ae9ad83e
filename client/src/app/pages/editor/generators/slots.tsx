import { TextInput } from '@mantine/core';
import { LayoutGrid } from 'lucide-react';
import { MAX_SLOTS_ASIDE, type SlotContent, slotZones } from '../../../../core/generators/slot-zones.ts';
import { MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import { ColorField, Pair } from '../panels/fields/fields.tsx';
import { NumberField } from '../panels/fields/number-field.tsx';
import { SpaceRoleField } from '../panels/spaces/space-role-field.tsx';
import { anyGenerator, type SettingsFieldsProps } from './generator.ts';

interface SlotFill extends SlotContent {
  readonly colour: string;
  readonly line: string;
}

function SlotFields({ settings, onChange }: SettingsFieldsProps<SlotFill>) {
  const set = (change: Partial<SlotFill>) => onChange({ ...settings, ...change });
  return (
    <>
      <TextInput
        size="xs"
        label="Name of its slots"
        value={settings.name}
        maxLength={MAX_NAME_LENGTH}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Pair>
        {(['columns', 'rows'] as const).map((key) => (
          <NumberField
            key={key}
            label={key === 'columns' ? 'Across' : 'Down'}
            whole
            min={1}
            max={MAX_SLOTS_ASIDE}
            value={settings[key]}
            onChange={(value) => set({ [key]: value })}
          />
        ))}
        {(['w', 'h'] as const).map((key) => (
          <NumberField
            key={key}
            label={key === 'w' ? 'Slot width' : 'Slot height'}
            unit="mm"
            step={1}
            min={3}
            max={400}
            value={settings[key]}
            onChange={(value) => set({ [key]: value })}
          />
        ))}
        <ColorField label="Colour" value={settings.colour} onChange={(colour) => set({ colour })} />
        <ColorField label="Line" value={settings.line} onChange={(line) => set({ line })} />
      </Pair>
      <SpaceRoleField value={settings.role} onChange={(role) => set({ role })} />
    </>
  );
}

/** Slots for cards and tiles, in columns and rows. */
export const SLOTS = anyGenerator<SlotFill>({
  id: 'slots',
  name: 'Slots',
  label: 'Add slots for cards',
  icon: LayoutGrid,
  first: {
    name: 'Slot',
    columns: 3,
    rows: 1,
    w: 66,
    h: 91,
    role: 'slot',
    colour: '#ffffff80',
    line: '#6b5b45',
  },
  make: ({ x, y, w, h }, settings, newId) =>
    slotZones(
      { x, y, w, h },
      settings,
      {
        colour: settings.colour,
        stroke: { color: settings.line, width: 0.5, align: 'inside', dash: [2.4, 1.6] },
      },
      newId,
    ),
  Fields: SlotFields,
});
