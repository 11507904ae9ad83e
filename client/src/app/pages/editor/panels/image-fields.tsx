import { TextInput } from '@mantine/core';
import { type ImageZone, MAX_SOURCE_LENGTH } from '../../../../core/scene/zone.ts';
import type { TableColumn } from '../../../../data/documents.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { bindColumn } from '../state/zones.ts';
import { BindingField } from './binding-field.tsx';
import { NumberField, Pair, Section, SelectField } from './fields.tsx';

/** What an image zone shows and how it fills its box. */
export function ImageFields({
  zone,
  model,
  columns,
}: {
  zone: ImageZone;
  model: EditorModel;
  columns: readonly TableColumn[];
}) {
  const binding = zone.bindings.source;
  const column = binding?.mode === 'column' ? binding.column : undefined;
  const act = (recipe: (draft: ImageZone) => void, mergeKey?: string) =>
    model.actOn<ImageZone>(zone.id, recipe, mergeKey);
  return (
    <Section title="Image">
      <BindingField
        label="Content"
        ownLabel="Own image"
        column={column}
        columns={columns}
        onChange={(next) => act((draft) => bindColumn(draft, 'source', next))}
      />
      {column === undefined && (
        <TextInput
          size="xs"
          label="Image address"
          placeholder="https://…"
          maxLength={MAX_SOURCE_LENGTH}
          value={zone.source}
          onChange={(event) => {
            const source = event.currentTarget.value;
            act((draft) => {
              draft.source = source;
            }, 'source');
          }}
        />
      )}
      <SelectField
        label="In its box"
        value={zone.fit}
        options={[
          { value: 'cover', label: 'Fill the box' },
          { value: 'contain', label: 'Show all of it' },
          { value: 'stretch', label: 'Stretch' },
        ]}
        onChange={(fit) =>
          act((draft) => {
            draft.fit = fit;
          })
        }
      />
      <Pair>
        <NumberField
          label="Across"
          unit="%"
          step={5}
          value={zone.posX}
          min={0}
          max={100}
          onChange={(value) =>
            act((draft) => {
              draft.posX = value;
            }, 'posX')
          }
        />
        <NumberField
          label="Down"
          unit="%"
          step={5}
          value={zone.posY}
          min={0}
          max={100}
          onChange={(value) =>
            act((draft) => {
              draft.posY = value;
            }, 'posY')
          }
        />
      </Pair>
    </Section>
  );
}
