import { Textarea } from '@mantine/core';
import { QrCode } from 'lucide-react';
import { MAX_TEXT_LENGTH } from '../../../../core/scene/limits.ts';
import type { CodeZone } from '../../../../core/scene/zones/code.ts';
import { BindingField } from '../panels/fields/binding-field.tsx';
import { ColorField, Pair, Section, SelectField } from '../panels/fields/fields.tsx';
import { NumberField } from '../panels/fields/number-field.tsx';
import { setterOf } from '../panels/fields/set-property.ts';
import { bind } from '../state/zones/zones.ts';
import type { ZoneFieldsProps, ZonePart } from './zone-part.ts';

/** Content and symbology of a code. */
function CodeFields({ zone, model, data }: ZoneFieldsProps<'code'>) {
  const set = setterOf(model, zone);
  const act = (recipe: (draft: CodeZone) => void, mergeKey?: string) =>
    model.actOn<CodeZone>(zone.id, recipe, mergeKey);
  return (
    <Section title="Code">
      <BindingField
        label="Content"
        customLabel="Own text"
        binding={zone.bindings.text}
        data={data}
        onChange={(next, key) => act((draft) => bind(draft, 'text', next), key)}
      />
      {!zone.bindings.text && (
        <Textarea
          size="xs"
          label="Own text"
          autosize
          minRows={1}
          maxRows={4}
          maxLength={MAX_TEXT_LENGTH}
          value={zone.text}
          onChange={(event) => set('text')(event.currentTarget.value)}
        />
      )}
      <Pair>
        <SelectField
          label="Kind"
          value={zone.symbology}
          options={[
            { value: 'qr', label: 'QR code' },
            { value: 'code128', label: 'Code 128' },
            { value: 'code39', label: 'Code 39' },
            { value: 'ean13', label: 'EAN-13' },
            { value: 'ean8', label: 'EAN-8' },
            { value: 'upc', label: 'UPC' },
            { value: 'itf14', label: 'ITF-14' },
          ]}
          onChange={set('symbology')}
        />
        <ColorField label="Code colour" value={zone.color} onChange={set('color')} />
        <NumberField
          label="Empty rim"
          step={1}
          min={0}
          max={20}
          value={zone.quiet}
          onChange={(value) => set('quiet')(Math.min(20, Math.max(0, Math.round(value))))}
        />
        {zone.symbology === 'qr' && (
          <SelectField
            label="May be damaged"
            value={zone.correction}
            options={[
              { value: 'L', label: '7 %' },
              { value: 'M', label: '15 %' },
              { value: 'Q', label: '25 %' },
              { value: 'H', label: '30 %' },
            ]}
            onChange={set('correction')}
          />
        )}
      </Pair>
    </Section>
  );
}

export const CODE: ZonePart<'code'> = {
  label: 'QR or bar code',
  icon: QrCode,
  add: { label: 'Add code', inBar: false },
  newSize: [0.3, 0.22],
  fill(zone) {
    zone.text = 'https://example.org';
  },
  driven: [['color', 'Code colour']],
  ownCorners: false,
  Fields: CodeFields,
};
