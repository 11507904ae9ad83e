import type { Zone } from '../../../../core/scene/zone.ts';
import type { TableColumn } from '../../../../data/documents.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { bindColumn } from '../state/zones.ts';
import { BindingField } from './binding-field.tsx';
import { ColorField, NumberField, Pair, Section, SelectField } from './fields.tsx';

const FIRST_FILL = '#f0e6d4';

/** The zone's background and its line. */
export function FillFields({
  zone,
  model,
  columns,
}: {
  zone: Zone;
  model: EditorModel;
  columns: readonly TableColumn[];
}) {
  const binding = zone.bindings.fill;
  const column = binding?.mode === 'column' ? binding.column : undefined;
  const { fill, stroke } = zone;
  return (
    <Section title="Fill and line">
      <BindingField
        label="Fill"
        ownLabel="Own colour"
        column={column}
        columns={columns}
        onChange={(next) => model.actOn(zone.id, (draft) => bindColumn(draft, 'fill', next))}
      />
      <Pair>
        <SelectField
          label="Own fill"
          value={fill.kind}
          options={[
            { value: 'none', label: 'None' },
            { value: 'solid', label: 'Colour' },
            ...(fill.kind === 'linear' || fill.kind === 'radial'
              ? [{ value: fill.kind, label: 'Gradient' } as const]
              : []),
          ]}
          onChange={(kind) => {
            if (kind === 'none') {
              model.actOn(zone.id, (draft) => {
                draft.fill = { kind: 'none' };
              });
            } else if (kind === 'solid') {
              model.actOn(zone.id, (draft) => {
                draft.fill = { kind: 'solid', color: FIRST_FILL };
              });
            }
          }}
        />
        {fill.kind === 'solid' && (
          <ColorField
            label="Fill colour"
            value={fill.color}
            onChange={(color) =>
              model.actOn(
                zone.id,
                (draft) => {
                  draft.fill = { kind: 'solid', color };
                },
                'fill',
              )
            }
          />
        )}
      </Pair>
      <Pair>
        <NumberField
          label="Line"
          unit="mm"
          step={0.1}
          min={0}
          max={50}
          value={stroke.width}
          onChange={(width) =>
            model.actOn(
              zone.id,
              (draft) => {
                draft.stroke.width = Math.max(0, width);
              },
              'stroke.width',
            )
          }
        />
        <ColorField
          label="Line colour"
          value={stroke.color}
          onChange={(color) =>
            model.actOn(
              zone.id,
              (draft) => {
                draft.stroke.color = color;
              },
              'stroke.color',
            )
          }
        />
      </Pair>
    </Section>
  );
}
