import { Checkbox } from '@mantine/core';
import type { ZoneOf } from '../../../../../core/scene/zones.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { LengthField, Pair, SelectField } from '../fields/fields.tsx';
import { setterOf } from '../fields/set-property.ts';

const DIRECTIONS = [
  { value: 'row', label: 'Across' },
  { value: 'column', label: 'Down' },
  { value: 'row-reverse', label: 'Across, from the right' },
  { value: 'column-reverse', label: 'Down, from the bottom' },
] as const;
const JUSTIFY = [
  { value: 'start', label: 'At the start' },
  { value: 'center', label: 'In the middle' },
  { value: 'end', label: 'At the end' },
  { value: 'space-between', label: 'Spread out' },
  { value: 'space-around', label: 'Spread, half gaps outside' },
  { value: 'space-evenly', label: 'Spread evenly' },
] as const;
const ALIGN = [
  { value: 'start', label: 'Start' },
  { value: 'center', label: 'Middle' },
  { value: 'end', label: 'End' },
  { value: 'stretch', label: 'Stretch' },
] as const;

/** Direction, gap and alignment of zones that flow one after the other. */
export function FlowFields({
  zone,
  model,
}: {
  zone: ZoneOf<'container'> | ZoneOf<'iterator'>;
  model: EditorModel;
}) {
  const set = setterOf<ZoneOf<'container'> | ZoneOf<'iterator'>>(model, zone);
  return (
    <>
      <Pair>
        <SelectField label="Runs" value={zone.direction} options={DIRECTIONS} onChange={set('direction')} />
        <LengthField label="Gap" model={model} min={0} max={200} value={zone.gap} onChange={set('gap')} />
        <SelectField label="Along" value={zone.justify} options={JUSTIFY} onChange={set('justify')} />
        <SelectField label="Across it" value={zone.align} options={ALIGN} onChange={set('align')} />
      </Pair>
      <Checkbox
        size="sm"
        label="Go on in a new line"
        checked={zone.wrap}
        onChange={(event) => set('wrap')(event.currentTarget.checked)}
      />
    </>
  );
}
