import { useMemo } from 'react';
import { useStore } from 'zustand';
import { resolve } from '../../../../../core/scene/card/resolve.ts';
import { MAX_TEXT_LENGTH } from '../../../../../core/scene/limits.ts';
import type { LayoutFont } from '../../../../../core/scene/style/layout-font.ts';
import type { TextZone } from '../../../../../core/scene/zones/text.ts';
import { FontField } from '../../../../fonts/font-field.tsx';
import { MarkupField } from '../../../../text/markup-field.tsx';
import { bind } from '../../state/zones/zones.ts';
import type { ZoneFieldsProps } from '../../zone-parts/zone-part.ts';
import { BindingField } from '../fields/binding-field.tsx';
import { ColorField, Pair, Section, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { setterOf } from '../fields/set-property.ts';
import { styleSetterOf } from '../fields/set-style.ts';
import { ShadowFields } from '../style/shadow-fields.tsx';
import { AxisFields } from './axis-fields.tsx';
import { breakLine } from './break-line.ts';
import { FineTypeFields } from './fine-type-fields.tsx';
import { LetterButtons, runsRightToLeft } from './letter-buttons.tsx';

const NO_FONTS: readonly LayoutFont[] = [];

/** Ways of fitting a text that has too little room. */
export const FITS = [
  { value: 'shrink', label: 'Shrink to fit' },
  { value: 'group', label: 'Shrink on all cards alike' },
  { value: 'squash', label: 'Set it narrower' },
  { value: 'ellipsis', label: 'End it with …' },
  { value: 'none', label: 'Let it overflow' },
] as const;

function ContentFields({ zone, model, data }: ZoneFieldsProps<'text'>) {
  const variables = useStore(model.store, ({ scene }) => scene.variables);
  const context = useMemo(
    () => ({ variables, columns: data.columns, cells: data.row.cells }),
    [variables, data.columns, data.row.cells],
  );
  const binding = zone.bindings.text;
  const set = setterOf(model, zone);
  const act = (recipe: (draft: TextZone) => void, mergeKey?: string) =>
    model.actOn<TextZone>(zone.id, recipe, mergeKey);
  return (
    <Section title="Text">
      <BindingField
        label="Content"
        customLabel="Own text"
        binding={binding}
        data={data}
        onChange={(next, key) => act((draft) => bind(draft, 'text', next), key)}
      />
      {!binding && (
        <MarkupField
          size="xs"
          label="Own text"
          context={context}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_TEXT_LENGTH}
          value={zone.text}
          onKeyDown={breakLine}
          onChange={(event) => set('text')(event.currentTarget.value)}
        />
      )}
    </Section>
  );
}

function TypeFields({ zone, model, data }: ZoneFieldsProps<'text'>) {
  const { style } = zone;
  const fonts = useStore(model.store, ({ scene }) => scene.fonts) ?? NO_FONTS;
  const set = setterOf(model, zone);
  const setStyle = styleSetterOf(model, zone);
  const { text } = useMemo(() => resolve(zone, data.row, data.columns).zone, [zone, data.row, data.columns]);
  return (
    <Section title="Type">
      <FontField
        label="Font"
        value={style.family}
        fonts={fonts}
        onChange={(family, files) => model.setFont([zone.id], family, files)}
      />
      <AxisFields
        style={style}
        fonts={fonts}
        onWeight={(weight) => setStyle('weight', weight)}
        onAxes={(axes) => setStyle('axes', axes)}
      />
      <Pair>
        <NumberField
          label="Size"
          unit="pt"
          min={1}
          max={400}
          value={style.size}
          onChange={(size) => setStyle('size', Math.max(1, size))}
        />
        <ColorField label="Text colour" value={style.color} onChange={(color) => setStyle('color', color)} />
      </Pair>
      <LetterButtons style={style} rightToLeft={runsRightToLeft(text, style)} setStyle={setStyle} />
      <Pair>
        <NumberField
          label="Line height"
          step={0.05}
          min={0.5}
          max={5}
          value={style.lineHeight}
          onChange={(value) => setStyle('lineHeight', Math.min(5, Math.max(0.5, value)))}
        />
        <SelectField
          label="Letters"
          value={style.transform}
          options={[
            { value: 'none', label: 'As written' },
            { value: 'uppercase', label: 'CAPITALS' },
            { value: 'lowercase', label: 'small' },
          ]}
          onChange={(transform) => setStyle('transform', transform)}
        />
      </Pair>
      <SelectField label="Too much text" value={zone.fit} options={FITS} onChange={set('fit')} />
      {(zone.fit === 'shrink' || zone.fit === 'group') && (
        <NumberField
          label="Never smaller than"
          unit="pt"
          min={1}
          max={400}
          value={zone.minSize}
          onChange={(value) => set('minSize')(Math.max(1, value))}
        />
      )}
    </Section>
  );
}

/** Content and typography of a text zone. */
export function TextFields(props: ZoneFieldsProps<'text'>) {
  const { zone, model } = props;
  return (
    <>
      <ContentFields {...props} />
      <TypeFields {...props} />
      <FineTypeFields zone={zone} model={model} />
      <ShadowFields zone={zone} of="textShadows" model={model} />
    </>
  );
}
