import { Checkbox, TextInput } from '@mantine/core';
import type { TextZone } from '../../../../../core/scene/zones/text.ts';
import { HYPHENATION_LANGUAGES } from '../../../../../core/text/hyphenation/hyphenation.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { ColorField, LengthField, Pair, Section, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { setterOf } from '../fields/set-property.ts';
import { styleSetterOf } from '../fields/set-style.ts';
import { isMirrored, sided } from './letter-buttons.tsx';

/** Spacing, columns, hyphenation and features of a text zone's type. */
export function FineTypeFields({ zone, model }: { zone: TextZone; model: EditorModel }) {
  const { style } = zone;
  const set = setterOf(model, zone);
  const setStyle = styleSetterOf(model, zone);
  return (
    <Section title="Fine type">
      <Pair>
        <LengthField
          label="Padding"
          model={model}
          min={0}
          max={100}
          value={zone.padding[0]}
          onChange={(padding) => set('padding')([padding, padding, padding, padding])}
        />
        <NumberField
          label="Letter spacing"
          unit="%"
          step={1}
          min={-50}
          max={200}
          value={style.letterSpacing * 100}
          onChange={(value) => setStyle('letterSpacing', value / 100)}
        />
        <NumberField
          label="Word spacing"
          unit="%"
          step={5}
          min={-50}
          max={300}
          value={style.wordSpacing * 100}
          onChange={(value) => setStyle('wordSpacing', value / 100)}
        />
        <NumberField
          label="Paragraph gap"
          unit="%"
          step={10}
          min={0}
          max={500}
          value={style.paragraphGap * 100}
          onChange={(value) => setStyle('paragraphGap', value / 100)}
        />
        <NumberField
          label="Curve"
          unit="°"
          step={10}
          min={-360}
          max={360}
          value={zone.curve}
          onChange={(value) => set('curve')(Math.min(360, Math.max(-360, value)))}
        />
        <NumberField
          label="Columns"
          step={1}
          min={1}
          max={8}
          value={zone.columns}
          onChange={(value) => set('columns')(Math.min(8, Math.max(1, Math.round(value))))}
        />
        {zone.columns > 1 && (
          <LengthField
            label="Column gap"
            model={model}
            min={0}
            max={50}
            value={zone.columnGap}
            onChange={set('columnGap')}
          />
        )}
        <SelectField
          label="Hyphenate"
          value={style.hyphenate}
          options={[
            { value: '', label: 'Never' },
            ...HYPHENATION_LANGUAGES.map(({ id, name }) => ({ value: id as string, label: name })),
          ]}
          onChange={(language) => setStyle('hyphenate', language)}
        />
        <SelectField
          label="Direction"
          value={style.direction}
          options={[
            { value: 'auto', label: 'By its letters' },
            { value: 'ltr', label: 'Left to right' },
            { value: 'rtl', label: 'Right to left' },
          ]}
          onChange={(direction) => setStyle('direction', direction)}
        />
        <LengthField
          label="Outline"
          model={model}
          min={0}
          max={10}
          value={style.outline.width}
          onChange={(width) => setStyle('outline', { ...style.outline, width })}
          deprecated="Text-stroke is deprecated: a letter shadow keeps thin letters readable."
        />
        <ColorField
          label="Outline colour"
          value={style.outline.color}
          onChange={(color) => setStyle('outline', { ...style.outline, color })}
        />
      </Pair>
      <Checkbox
        size="sm"
        label="Swap sides in right-to-left text"
        checked={isMirrored(style.align)}
        disabled={sided(style.align, true) === sided(style.align, false)}
        onChange={(event) => setStyle('align', sided(style.align, event.currentTarget.checked))}
      />
      <Checkbox
        size="sm"
        label="Small capitals"
        checked={style.smallCaps}
        onChange={(event) => setStyle('smallCaps', event.currentTarget.checked)}
      />
      <TextInput
        size="xs"
        label="OpenType features"
        placeholder="onum, ss01"
        maxLength={200}
        value={style.features}
        onChange={(event) => setStyle('features', event.currentTarget.value)}
      />
    </Section>
  );
}
