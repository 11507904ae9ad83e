import { Checkbox, Textarea, TextInput } from '@mantine/core';
import {
  type CodeZone,
  type ContainerZone,
  type GridZone,
  type IteratorZone,
  MAX_CELLS,
  MAX_ITEMS,
  MAX_TEXT_LENGTH,
} from '../../../../core/scene/zone.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { bind } from '../state/zones.ts';
import { BindingField, type DataContext } from './binding-field.tsx';
import { ColorField, LengthField, Pair, Section, SelectField } from './fields.tsx';
import { FormulaField } from './formula-field.tsx';
import { NumberField } from './number-field.tsx';
import { setterOf } from './set-property.ts';

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

function FlowFields({ zone, model }: { zone: ContainerZone | IteratorZone; model: EditorModel }) {
  const set = setterOf<ContainerZone | IteratorZone>(model, zone);
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

/** Arrangement of a container's children. */
export function ContainerFields({ zone, model }: { zone: ContainerZone; model: EditorModel }) {
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

/** Source and arrangement of an iterator's items. */
export function IteratorFields({
  zone,
  model,
  data,
}: {
  zone: IteratorZone;
  model: EditorModel;
  data: DataContext;
}) {
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

/** The cells of a grid. */
export function GridFields({ zone, model }: { zone: GridZone; model: EditorModel }) {
  const set = setterOf(model, zone);
  const act = (recipe: (draft: GridZone) => void, mergeKey?: string) =>
    model.actOn<GridZone>(zone.id, recipe, mergeKey);
  const count = (value: number) => Math.min(MAX_CELLS, Math.max(1, Math.round(value)));
  return (
    <Section title="Grid">
      <SelectField
        label="Cells"
        value={zone.cells}
        options={[
          { value: 'square', label: 'Rectangles' },
          { value: 'offset', label: 'Rectangles, every other row shifted' },
          { value: 'hex-pointy', label: 'Hexagons, point up' },
          { value: 'hex-flat', label: 'Hexagons, side up' },
        ]}
        onChange={set('cells')}
      />
      <Pair>
        <NumberField
          label="Columns"
          step={1}
          min={1}
          max={MAX_CELLS}
          value={zone.cols}
          onChange={(value) => set('cols')(count(value))}
        />
        <NumberField
          label="Rows"
          step={1}
          min={1}
          max={MAX_CELLS}
          value={zone.rows}
          onChange={(value) => set('rows')(count(value))}
        />
        <LengthField label="Gap" model={model} min={0} max={200} value={zone.gap} onChange={set('gap')} />
        <LengthField
          label="Cell line"
          model={model}
          min={0}
          max={50}
          value={zone.cellStroke.width}
          onChange={(value) =>
            act((draft) => {
              draft.cellStroke.width = value;
            }, 'cellStroke')
          }
        />
        <ColorField
          label="Cell colour"
          value={zone.cellFill.kind === 'solid' ? zone.cellFill.color : ''}
          onChange={(color) => set('cellFill')(color === '' ? { kind: 'none' } : { kind: 'solid', color })}
        />
        <ColorField
          label="Cell line colour"
          value={zone.cellStroke.color}
          onChange={(color) =>
            act((draft) => {
              draft.cellStroke.color = color;
            }, 'cellStroke.color')
          }
        />
      </Pair>
    </Section>
  );
}

/** Content and symbology of a code. */
export function CodeFields({ zone, model, data }: { zone: CodeZone; model: EditorModel; data: DataContext }) {
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
