import { Button, Checkbox } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import {
  type Blend,
  blendSchema,
  type Filter,
  filterSchema,
  MAX_FILTER_AMOUNT,
  MAX_FILTERS,
  MAX_SOURCE_LENGTH,
} from '../../../../../core/scene/style/paint.ts';
import type { Zone } from '../../../../../core/scene/zones.ts';
import { ImageField } from '../../../../images/image-field.tsx';
import type { EditorModel } from '../../state/editor-store.ts';
import type { DataContext } from '../fields/binding-field.tsx';
import { Pair, Section, SelectField } from '../fields/fields.tsx';
import { FormulaField } from '../fields/formula-field.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { setterOf } from '../fields/set-property.ts';
import css from '../panels.module.css';
import { ClipFields } from './clip-fields.tsx';
import { ShadowFields } from './shadow-fields.tsx';

const FILTERS: Readonly<
  Record<
    Filter['kind'],
    { readonly name: string; readonly first: number; readonly unit: string; readonly scale: number }
  >
> = {
  blur: { name: 'Blur', first: 0.5, unit: 'mm', scale: 1 },
  brightness: { name: 'Brightness', first: 1.2, unit: '%', scale: 100 },
  contrast: { name: 'Contrast', first: 1.2, unit: '%', scale: 100 },
  saturate: { name: 'Saturation', first: 1.5, unit: '%', scale: 100 },
  'hue-rotate': { name: 'Hue', first: 90, unit: '°', scale: 1 },
  grayscale: { name: 'Grey', first: 1, unit: '%', scale: 100 },
  sepia: { name: 'Sepia', first: 1, unit: '%', scale: 100 },
  invert: { name: 'Inverted', first: 1, unit: '%', scale: 100 },
};
const blendName = (blend: Blend): string => blend.charAt(0).toUpperCase() + blend.slice(1).replace('-', ' ');

/** When a zone is there, what cuts it, and what changes its looks as a whole. */
export function EffectFields({ zone, model, data }: { zone: Zone; model: EditorModel; data: DataContext }) {
  const set = setterOf(model, zone);
  const act = (recipe: (draft: Zone) => void, mergeKey?: string) => model.actOn(zone.id, recipe, mergeKey);
  return (
    <>
      <Section title="Shown when">
        <FormulaField
          label="Formula"
          value={zone.visibleIf}
          row={data.row}
          columns={data.columns}
          placeholder="always"
          onChange={set('visibleIf')}
        />
        <Checkbox
          size="sm"
          label="Hide where it has no content"
          checked={zone.hideIfEmpty}
          onChange={(event) => set('hideIfEmpty')(event.currentTarget.checked)}
        />
      </Section>
      <ShadowFields zone={zone} of="shadows" model={model} />
      <Section title="Effects">
        <Pair>
          <SelectField
            label="Blend"
            value={zone.blend}
            options={blendSchema.options.map((value) => ({ value, label: blendName(value) }))}
            onChange={set('blend')}
          />
        </Pair>
        <ClipFields zone={zone} model={model} />
        <div className={css.buttons}>
          <Checkbox
            size="sm"
            label="Flip across"
            checked={zone.flipX}
            onChange={(event) => set('flipX')(event.currentTarget.checked)}
          />
          <Checkbox
            size="sm"
            label="Flip down"
            checked={zone.flipY}
            onChange={(event) => set('flipY')(event.currentTarget.checked)}
          />
        </div>
        {zone.filters.map((filter, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: filters have nothing but their place
          <div key={index} className={css.entry}>
            <Pair>
              <SelectField
                label="Filter"
                value={filter.kind}
                options={filterSchema.shape.kind.options.map((value) => ({
                  value,
                  label: FILTERS[value].name,
                }))}
                onChange={(kind) =>
                  act((draft) => {
                    draft.filters[index] = { kind, amount: FILTERS[kind].first };
                  })
                }
              />
              <NumberField
                label="Amount"
                unit={FILTERS[filter.kind].unit}
                step={FILTERS[filter.kind].scale === 100 ? 5 : 0.5}
                min={-MAX_FILTER_AMOUNT * FILTERS[filter.kind].scale}
                max={MAX_FILTER_AMOUNT * FILTERS[filter.kind].scale}
                value={filter.amount * FILTERS[filter.kind].scale}
                onChange={(value) =>
                  act((draft) => {
                    const one = draft.filters[index];
                    if (one) one.amount = value / FILTERS[one.kind].scale;
                  }, `filter${index}`)
                }
              />
            </Pair>
            <button
              type="button"
              className={css.remove}
              aria-label={`Remove filter ${index + 1}`}
              onClick={() => act((draft) => void draft.filters.splice(index, 1))}
            >
              <X size={14} aria-hidden />
            </button>
          </div>
        ))}
        {zone.filters.length < MAX_FILTERS && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() =>
              act((draft) => void draft.filters.push({ kind: 'blur', amount: FILTERS.blur.first }))
            }
          >
            Add filter
          </Button>
        )}
        <ImageField
          label="Mask image"
          maxLength={MAX_SOURCE_LENGTH}
          value={zone.mask.source}
          onChange={(source) =>
            act((draft) => {
              draft.mask.source = source;
            }, 'mask')
          }
        />
        {zone.mask.source !== '' && (
          <Pair>
            <SelectField
              label="What the mask goes by"
              value={zone.mask.by}
              options={[
                { value: 'alpha', label: 'How opaque it is' },
                { value: 'brightness', label: 'How bright it is' },
              ]}
              onChange={(by) =>
                act((draft) => {
                  draft.mask.by = by;
                })
              }
            />
            <SelectField
              label="How the mask fits"
              value={zone.mask.fit}
              options={[
                { value: 'stretch', label: 'Stretched' },
                { value: 'cover', label: 'Covering' },
                { value: 'contain', label: 'Whole' },
              ]}
              onChange={(fit) =>
                act((draft) => {
                  draft.mask.fit = fit;
                })
              }
            />
          </Pair>
        )}
      </Section>
    </>
  );
}
