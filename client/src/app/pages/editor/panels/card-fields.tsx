import { presetSize, SIZE_PRESETS } from '../../../../core/scene/sizes.ts';
import type { Layout } from '../../../../core/scene/zone.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { ColorField, NumberField, Pair, Section, SelectField } from './fields.tsx';

const MIN_SIDE_MM = 10;
const MAX_SIDE_MM = 500;

const side = (value: number) => Math.min(MAX_SIDE_MM, Math.max(MIN_SIDE_MM, value));

/** The card itself: its size and its ground. */
export function CardFields({ scene, model }: { scene: Layout; model: EditorModel }) {
  const { size, base } = scene;
  return (
    <>
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
      <Section title="Ground">
        <ColorField
          label="Ground colour"
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
      </Section>
    </>
  );
}
