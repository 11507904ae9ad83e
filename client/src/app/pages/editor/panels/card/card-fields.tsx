import { TextInput } from '@mantine/core';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { presetSize, SIZE_PRESETS } from '../../../../../core/scene/sizes.ts';
import { MAX_SOURCE_LENGTH } from '../../../../../core/scene/style/paint.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { BindingField, type DataContext } from '../fields/binding-field.tsx';
import { ColorField, Pair, Section, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { SavedSpaceFields } from '../spaces/saved-space-fields.tsx';
import { PaletteFields } from './palette-fields.tsx';
import { VariableFields } from './variable-fields.tsx';

type GroundImage = Layout['base']['image'];

/** Path of the binding that drives the ground's image. */
const GROUND_IMAGE = 'image.source';
const MIN_SIDE_MM = 10;
/** A board for a large table. */
const MAX_SIDE_MM = 1_500;
const DEFAULT_RADIUS_MM = 3;

const side = (value: number) => Math.min(MAX_SIDE_MM, Math.max(MIN_SIDE_MM, value));

function SizeFields({ scene, model }: { scene: Layout; model: EditorModel }) {
  const { size } = scene;
  return (
    <Section title="Card">
      <SelectField
        label="Size"
        value={SIZE_PRESETS.some(({ id }) => id === size.preset) ? size.preset : 'custom'}
        options={[
          ...SIZE_PRESETS.map(({ id, name, w, h }) => ({ value: id, label: `${name}, ${w} × ${h} mm` })),
          { value: 'custom', label: 'Custom' },
        ]}
        onChange={(preset) =>
          model.act((draft) => {
            draft.size = presetSize(preset) ?? { ...draft.size, preset: 'custom' };
          })
        }
      />
      <SelectField
        label="Shape"
        value={size.shape}
        options={[
          { value: 'rounded', label: 'Rounded corners' },
          { value: 'rect', label: 'Square corners' },
          { value: 'circle', label: 'Round' },
          { value: 'hex-pointy', label: 'Hexagon, point up' },
          { value: 'hex-flat', label: 'Hexagon, side up' },
        ]}
        onChange={(shape) =>
          model.act((draft) => {
            draft.size.shape = shape;
            draft.size.preset = 'custom';
            if (shape === 'rounded' && draft.size.radius === 0) draft.size.radius = DEFAULT_RADIUS_MM;
          })
        }
      />
      <Pair>
        {(['w', 'h'] as const).map((field) => (
          <NumberField
            key={field}
            label={field === 'w' ? 'Width' : 'Height'}
            unit="mm"
            min={MIN_SIDE_MM}
            max={MAX_SIDE_MM}
            value={size[field]}
            onChange={(value) =>
              model.act(
                (draft) => {
                  if (draft.size[field] === side(value)) return;
                  draft.size[field] = side(value);
                  draft.size.preset = 'custom';
                },
                { mergeKey: `size.${field}` },
              )
            }
          />
        ))}
        {size.shape === 'rounded' && (
          <NumberField
            label="Corner radius"
            unit="mm"
            min={0}
            max={50}
            value={size.radius}
            onChange={(radius) =>
              model.act(
                (draft) => {
                  draft.size.radius = Math.min(50, Math.max(0, radius));
                },
                { mergeKey: 'size.radius' },
              )
            }
          />
        )}
        <NumberField
          label="Bleed"
          unit="mm"
          min={0}
          max={20}
          value={scene.bleed}
          onChange={(bleed) =>
            model.act(
              (draft) => {
                draft.bleed = Math.min(20, Math.max(0, bleed));
              },
              { mergeKey: 'bleed' },
            )
          }
        />
        <NumberField
          label="Safe margin"
          unit="mm"
          min={0}
          max={30}
          value={scene.safe}
          onChange={(safe) =>
            model.act(
              (draft) => {
                draft.safe = Math.min(30, Math.max(0, safe));
              },
              { mergeKey: 'safe' },
            )
          }
        />
      </Pair>
    </Section>
  );
}

/** The card itself: its size and its ground. */
export function CardFields({ scene, model, data }: { scene: Layout; model: EditorModel; data: DataContext }) {
  const { base } = scene;
  const imageBinding = base.bindings[GROUND_IMAGE];
  const setImage = <K extends keyof GroundImage>(key: K, value: GroundImage[K]) =>
    model.act(
      (draft) => {
        draft.base.image[key] = value;
      },
      { mergeKey: `base.image.${key}` },
    );
  return (
    <>
      <SizeFields scene={scene} model={model} />
      <Section title="Fill">
        <ColorField
          label="Fill colour"
          value={base.fill.kind === 'solid' ? base.fill.color : ''}
          onChange={(color) =>
            model.act(
              (draft) => {
                draft.base.fill = color === '' ? { kind: 'none' } : { kind: 'solid', color };
              },
              { mergeKey: 'base.fill' },
            )
          }
        />
        <BindingField
          label="Fill image"
          customLabel="Own image"
          binding={imageBinding}
          data={data}
          onChange={(next, key) =>
            model.act(
              (draft) => {
                if (next === undefined) delete draft.base.bindings[GROUND_IMAGE];
                else draft.base.bindings[GROUND_IMAGE] = next;
              },
              key === undefined ? {} : { mergeKey: `base.${GROUND_IMAGE}.${key}` },
            )
          }
        />
        {!imageBinding && (
          <TextInput
            size="xs"
            label="Image address"
            placeholder="Folder/name.png or https://…"
            maxLength={MAX_SOURCE_LENGTH}
            value={base.image.source}
            onChange={(event) => setImage('source', event.currentTarget.value)}
          />
        )}
        {(imageBinding || base.image.source !== '') && (
          <Pair>
            <SelectField
              label="On the card"
              value={base.image.fit}
              options={[
                { value: 'cover', label: 'Fill the card' },
                { value: 'contain', label: 'Show all of it' },
                { value: 'stretch', label: 'Stretch' },
                { value: 'tile', label: 'Tile' },
              ]}
              onChange={(fit) => setImage('fit', fit)}
            />
            <NumberField
              label="Image opacity"
              unit="%"
              step={5}
              min={0}
              max={100}
              value={base.image.opacity * 100}
              onChange={(value) => setImage('opacity', Math.min(1, Math.max(0, value / 100)))}
            />
          </Pair>
        )}
      </Section>
      <SavedSpaceFields scene={scene} model={model} />
      <VariableFields scene={scene} model={model} data={data} />
      <PaletteFields />
    </>
  );
}
