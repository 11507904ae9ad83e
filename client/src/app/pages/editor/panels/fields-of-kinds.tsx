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
import { ColorField, LengthField, NumberField, Pair, Section, SelectField } from './fields.tsx';
import { FormulaField } from './formula-field.tsx';

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
  const set = <K extends 'direction' | 'justify' | 'align' | 'wrap' | 'gap'>(
    key: K,
    value: ContainerZone[K],
  ) =>
    model.actOn<ContainerZone>(
      zone.id,
      (draft) => {
        draft[key] = value;
      },
      key,
    );
  return (
    <>
      <Pair>
        <SelectField
          label="Runs"
          value={zone.direction}
          options={DIRECTIONS}
          onChange={(value) => set('direction', value)}
        />
        <LengthField
          label="Gap"
          model={model}
          min={0}
          max={200}
          value={zone.gap}
          onChange={(value) => set('gap', value)}
        />
        <SelectField
          label="Along"
          value={zone.justify}
          options={JUSTIFY}
          onChange={(value) => set('justify', value)}
        />
        <SelectField
          label="Across it"
          value={zone.align}
          options={ALIGN}
          onChange={(value) => set('align', value)}
        />
      </Pair>
      <Checkbox
        size="sm"
        label="Go on in a new line"
        checked={zone.wrap}
        onChange={(event) => set('wrap', event.currentTarget.checked)}
      />
    </>
  );
}

/** How a container arranges what it holds. */
export function ContainerFields({ zone, model }: { zone: ContainerZone; model: EditorModel }) {
  return (
    <Section title="Container">
      <SelectField
        label="What it holds"
        value={zone.arrange}
        options={[
          { value: 'free', label: 'Stays where it is put' },
          { value: 'flex', label: 'Flows' },
        ]}
        onChange={(arrange) =>
          model.actOn<ContainerZone>(zone.id, (draft) => {
            draft.arrange = arrange;
          })
        }
      />
      {zone.arrange === 'flex' && <FlowFields zone={zone} model={model} />}
      <Checkbox
        size="sm"
        label="Cut at its edge"
        checked={zone.clip}
        onChange={(event) => {
          const { checked } = event.currentTarget;
          model.actOn<ContainerZone>(zone.id, (draft) => {
            draft.clip = checked;
          });
        }}
      />
    </Section>
  );
}

/** What an iterator repeats, and how its items lie. */
export function IteratorFields({
  zone,
  model,
  data,
}: {
  zone: IteratorZone;
  model: EditorModel;
  data: DataContext;
}) {
  const act = (recipe: (draft: IteratorZone) => void, mergeKey: string) =>
    model.actOn<IteratorZone>(zone.id, recipe, mergeKey);
  return (
    <Section title="Iterator">
      <FormulaField
        label={`List or number of items (up to ${MAX_ITEMS})`}
        value={zone.list}
        row={data.row}
        columns={data.columns}
        placeholder="split(tags)"
        onChange={(list) =>
          act((draft) => {
            draft.list = list;
          }, 'list')
        }
      />
      <TextInput
        size="xs"
        label="Formulas inside call the item"
        value={zone.variable}
        maxLength={40}
        onChange={(event) => {
          const variable = event.currentTarget.value.trim();
          if (variable !== '') {
            act((draft) => {
              draft.variable = variable;
            }, 'variable');
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
          onChange={(value) =>
            act((draft) => {
              draft.itemW = value;
            }, 'itemW')
          }
        />
        <LengthField
          label="Item height"
          model={model}
          min={0}
          max={500}
          value={zone.itemH}
          onChange={(value) =>
            act((draft) => {
              draft.itemH = value;
            }, 'itemH')
          }
        />
      </Pair>
      <FlowFields zone={zone} model={model} />
    </Section>
  );
}

/** The cells of a grid. */
export function GridFields({ zone, model }: { zone: GridZone; model: EditorModel }) {
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
        onChange={(cells) =>
          act((draft) => {
            draft.cells = cells;
          })
        }
      />
      <Pair>
        <NumberField
          label="Columns"
          step={1}
          min={1}
          max={MAX_CELLS}
          value={zone.cols}
          onChange={(value) =>
            act((draft) => {
              draft.cols = count(value);
            }, 'cols')
          }
        />
        <NumberField
          label="Rows"
          step={1}
          min={1}
          max={MAX_CELLS}
          value={zone.rows}
          onChange={(value) =>
            act((draft) => {
              draft.rows = count(value);
            }, 'rows')
          }
        />
        <LengthField
          label="Gap"
          model={model}
          min={0}
          max={200}
          value={zone.gap}
          onChange={(value) =>
            act((draft) => {
              draft.gap = value;
            }, 'gap')
          }
        />
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
          onChange={(color) =>
            act((draft) => {
              draft.cellFill = color === '' ? { kind: 'none' } : { kind: 'solid', color };
            }, 'cellFill')
          }
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

/** What a code says and as what kind of code. */
export function CodeFields({ zone, model, data }: { zone: CodeZone; model: EditorModel; data: DataContext }) {
  const act = (recipe: (draft: CodeZone) => void, mergeKey?: string) =>
    model.actOn<CodeZone>(zone.id, recipe, mergeKey);
  return (
    <Section title="Code">
      <BindingField
        label="Content"
        ownLabel="Own text"
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
          onChange={(event) => {
            const text = event.currentTarget.value;
            act((draft) => {
              draft.text = text;
            }, 'text');
          }}
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
          onChange={(symbology) =>
            act((draft) => {
              draft.symbology = symbology;
            })
          }
        />
        <ColorField
          label="Code colour"
          value={zone.color}
          onChange={(color) =>
            act((draft) => {
              draft.color = color;
            }, 'color')
          }
        />
        <NumberField
          label="Empty rim"
          step={1}
          min={0}
          max={20}
          value={zone.quiet}
          onChange={(value) =>
            act((draft) => {
              draft.quiet = Math.min(20, Math.max(0, Math.round(value)));
            }, 'quiet')
          }
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
            onChange={(correction) =>
              act((draft) => {
                draft.correction = correction;
              })
            }
          />
        )}
      </Pair>
    </Section>
  );
}
