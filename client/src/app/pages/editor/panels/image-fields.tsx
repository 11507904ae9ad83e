import { MAX_SOURCE_LENGTH } from '../../../../core/scene/style/paint.ts';
import type { ImageZone } from '../../../../core/scene/zones/image.ts';
import { ImageField } from '../../../images/image-field.tsx';
import type { EditorModel } from '../state/editor-store.ts';
import { bind } from '../state/zones/zones.ts';
import { BindingField, type DataContext } from './fields/binding-field.tsx';
import { LengthField, Pair, Section, SelectField } from './fields/fields.tsx';
import { NumberField } from './fields/number-field.tsx';
import { setterOf } from './fields/set-property.ts';

/** Source of an image zone and how it fills its box. */
export function ImageFields({
  zone,
  model,
  data,
}: {
  zone: ImageZone;
  model: EditorModel;
  data: DataContext;
}) {
  const binding = zone.bindings.source;
  const set = setterOf(model, zone);
  const act = (recipe: (draft: ImageZone) => void, mergeKey?: string) =>
    model.actOn<ImageZone>(zone.id, recipe, mergeKey);
  return (
    <Section title="Image">
      <BindingField
        label="Content"
        customLabel="Own image"
        binding={binding}
        data={data}
        onChange={(next, key) => act((draft) => bind(draft, 'source', next), key)}
      />
      {!binding && (
        <ImageField
          label="Image"
          maxLength={MAX_SOURCE_LENGTH}
          value={zone.source}
          onChange={set('source')}
        />
      )}
      <SelectField
        label="In its box"
        value={zone.fit}
        options={[
          { value: 'cover', label: 'Fill the box' },
          { value: 'contain', label: 'Show all of it' },
          { value: 'stretch', label: 'Stretch' },
          { value: 'tile', label: 'Tile' },
          { value: 'nine-slice', label: 'Frame (nine parts)' },
        ]}
        onChange={set('fit')}
      />
      <Pair>
        <NumberField
          label="Across"
          unit="%"
          step={5}
          value={zone.posX}
          min={0}
          max={100}
          onChange={set('posX')}
        />
        <NumberField
          label="Down"
          unit="%"
          step={5}
          value={zone.posY}
          min={0}
          max={100}
          onChange={set('posY')}
        />
        <NumberField
          label="Scale"
          unit="%"
          step={5}
          min={1}
          max={1000}
          value={zone.scale * 100}
          onChange={(value) => set('scale')(Math.min(10, Math.max(0.01, value / 100)))}
        />
        {zone.fit === 'tile' && (
          <LengthField
            label="Tile width"
            model={model}
            min={0.5}
            max={200}
            value={zone.tile}
            onChange={set('tile')}
          />
        )}
        {zone.fit === 'nine-slice' && (
          <>
            <LengthField
              label="Corner width"
              model={model}
              min={0}
              max={100}
              value={zone.sliceWidth}
              onChange={set('sliceWidth')}
            />
            <NumberField
              label="Corner share"
              unit="%"
              step={1}
              min={0}
              max={50}
              value={zone.slice[0]}
              onChange={(value) =>
                act((draft) => {
                  const share = Math.min(50, Math.max(0, value));
                  draft.slice = [share, share, share, share];
                }, 'slice')
              }
            />
          </>
        )}
      </Pair>
    </Section>
  );
}
