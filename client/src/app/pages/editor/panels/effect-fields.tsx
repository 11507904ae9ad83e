import { Button, Checkbox, Textarea } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import {
  type Blend,
  blendSchema,
  type Filter,
  filterSchema,
  MAX_FILTERS,
  MAX_SHADOWS,
} from '../../../../core/scene/paint.ts';
import { MAX_CLIP_LENGTH, MAX_SOURCE_LENGTH, type Zone } from '../../../../core/scene/zone.ts';
import { ImageField } from '../../../images/image-field.tsx';
import type { EditorModel } from '../state/editor-store.ts';
import type { DataContext } from './binding-field.tsx';
import { ColorField, LengthField, NumberField, Pair, Section, SelectField } from './fields.tsx';
import { FormulaField } from './formula-field.tsx';
import css from './panels.module.css';
import { setterOf } from './set-property.ts';

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

/** Shapes to cut a zone to. */
const CLIP_SHAPES = [
  { label: 'Its own', value: '' },
  { label: 'Shield', value: 'M50 0 L100 15 L100 50 C100 80 70 95 50 100 C30 95 0 80 0 50 L0 15 Z' },
  { label: 'Hexagon, point up', value: 'polygon(50% 0%, 100% 25%, 100% 75%, 50% 100%, 0% 75%, 0% 25%)' },
  { label: 'Diamond', value: 'polygon(50% 0%, 100% 50%, 50% 100%, 0% 50%)' },
  { label: 'Banner', value: 'polygon(0% 0%, 100% 0%, 100% 100%, 50% 80%, 0% 100%)' },
  { label: 'Ticket', value: 'M0 0 H100 V30 A20 20 0 0 0 100 70 V100 H0 V70 A20 20 0 0 0 0 30 Z' },
  {
    label: 'Cut corners',
    value: 'polygon(12% 0%, 88% 0%, 100% 12%, 100% 88%, 88% 100%, 12% 100%, 0% 88%, 0% 12%)',
  },
] as const;
const CUSTOM = 'custom';

/** When a zone is there, what cuts it, and what changes its looks as a whole. */
export function EffectFields({ zone, model, data }: { zone: Zone; model: EditorModel; data: DataContext }) {
  const set = setterOf(model, zone);
  const act = (recipe: (draft: Zone) => void, mergeKey?: string) => model.actOn(zone.id, recipe, mergeKey);
  const clip = CLIP_SHAPES.find(({ value }) => value === zone.clipPath);
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
      <Section title="Shadows">
        {zone.shadows.map((shadow, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: shadows have nothing but their place
          <div key={index} className={css.entry}>
            <Pair>
              <ColorField
                label="Shadow colour"
                value={shadow.color}
                onChange={(color) =>
                  act((draft) => {
                    const one = draft.shadows[index];
                    if (one) one.color = color;
                  }, `shadow${index}.color`)
                }
              />
              <LengthField
                label="Blur"
                model={model}
                min={0}
                max={50}
                value={shadow.blur}
                onChange={(value) =>
                  act((draft) => {
                    const one = draft.shadows[index];
                    if (one) one.blur = value;
                  }, `shadow${index}.blur`)
                }
              />
              <LengthField
                label="Right"
                model={model}
                value={shadow.dx}
                onChange={(value) =>
                  act((draft) => {
                    const one = draft.shadows[index];
                    if (one) one.dx = value;
                  }, `shadow${index}.dx`)
                }
              />
              <LengthField
                label="Down"
                model={model}
                value={shadow.dy}
                onChange={(value) =>
                  act((draft) => {
                    const one = draft.shadows[index];
                    if (one) one.dy = value;
                  }, `shadow${index}.dy`)
                }
              />
            </Pair>
            <button
              type="button"
              className={css.remove}
              aria-label={`Remove shadow ${index + 1}`}
              onClick={() => act((draft) => void draft.shadows.splice(index, 1))}
            >
              <X size={14} aria-hidden />
            </button>
          </div>
        ))}
        {zone.shadows.length < MAX_SHADOWS && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() =>
              act(
                (draft) =>
                  void draft.shadows.push({ color: '#00000066', dx: 0, dy: 0.6, blur: 1.6, spread: 0 }),
              )
            }
          >
            Add shadow
          </Button>
        )}
      </Section>
      <Section title="Effects">
        <Pair>
          <SelectField
            label="Blend"
            value={zone.blend}
            options={blendSchema.options.map((value) => ({ value, label: blendName(value) }))}
            onChange={set('blend')}
          />
          <SelectField
            label="Cut to"
            value={clip?.value ?? CUSTOM}
            options={[...CLIP_SHAPES, ...(clip ? [] : [{ value: CUSTOM, label: 'Own shape' }])]}
            onChange={(value) => {
              if (value !== CUSTOM) set('clipPath')(value);
            }}
          />
        </Pair>
        {zone.clipPath !== '' && (
          <Textarea
            size="xs"
            label="Shape (SVG path in 100 × 100, or polygon())"
            autosize
            minRows={1}
            maxRows={4}
            spellCheck={false}
            maxLength={MAX_CLIP_LENGTH}
            value={zone.clipPath}
            onChange={(event) => set('clipPath')(event.currentTarget.value)}
          />
        )}
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
        )}
      </Section>
    </>
  );
}
