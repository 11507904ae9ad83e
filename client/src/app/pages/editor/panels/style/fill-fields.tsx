import { Button } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { newPlacement } from '../../../../../core/scene/style/image-placement.ts';
import {
  type Fill,
  MAX_GRADIENT_STOPS,
  MAX_SOURCE_LENGTH,
  MAX_TURN_DEG,
} from '../../../../../core/scene/style/paint.ts';
import type { Zone } from '../../../../../core/scene/zones.ts';
import { ImageField } from '../../../../images/image-field.tsx';
import type { EditorModel } from '../../state/editor-store.ts';
import { bind } from '../../state/zones/zones.ts';
import { partOf } from '../../zone-parts.ts';
import { BindingField, type DataContext } from '../fields/binding-field.tsx';
import { ColorField, Pair, Section, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { setterOf } from '../fields/set-property.ts';
import css from '../panels.module.css';
import { LineFields } from './line-fields.tsx';
import { RadiusFields } from './radius-fields.tsx';

const FIRST_FILL = '#f0e6d4';

type Gradient = Extract<Fill, { stops: unknown }>;

/** A fill of another kind with what it can keep of the old one. */
function newFill(kind: Fill['kind'], old: Fill): Fill {
  const color = old.kind === 'solid' ? old.color : FIRST_FILL;
  const stops =
    'stops' in old
      ? old.stops
      : [
          { at: 0, color },
          { at: 1, color: '#ffffff' },
        ];
  switch (kind) {
    case 'none':
      return { kind };
    case 'solid':
      return { kind, color: 'stops' in old ? (old.stops[0]?.color ?? color) : color };
    case 'linear':
      return { kind, angle: 180, stops };
    case 'radial':
      return { kind, cx: 0.5, cy: 0.5, radius: 1, stops };
    case 'conic':
      return { kind, cx: 0.5, cy: 0.5, angle: 0, stops };
    case 'image':
      return { kind, source: '', ...newPlacement() };
  }
}

function GradientFields({ zone, fill, model }: { zone: Zone; fill: Gradient; model: EditorModel }) {
  const act = (recipe: (draft: Gradient) => void, key: string) =>
    model.actOn(zone.id, (draft) => void ('stops' in draft.fill && recipe(draft.fill)), `fill.${key}`);
  return (
    <>
      {'angle' in fill && (
        <NumberField
          label="Angle"
          unit="°"
          step={15}
          min={-MAX_TURN_DEG}
          max={MAX_TURN_DEG}
          value={fill.angle}
          onChange={(angle) =>
            act((draft) => {
              if ('angle' in draft) draft.angle = angle;
            }, 'angle')
          }
        />
      )}
      {fill.stops.map((stop, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stops have nothing but their place
        <div key={index} className={css.entry}>
          <Pair>
            <ColorField
              label={`Colour ${index + 1}`}
              value={stop.color}
              onChange={(color) =>
                act((draft) => {
                  const one = draft.stops[index];
                  if (one) one.color = color;
                }, `stop${index}.color`)
              }
            />
            <NumberField
              label="At"
              unit="%"
              step={5}
              min={0}
              max={100}
              value={stop.at * 100}
              onChange={(value) =>
                act((draft) => {
                  const one = draft.stops[index];
                  if (one) one.at = Math.min(1, Math.max(0, value / 100));
                }, `stop${index}.at`)
              }
            />
          </Pair>
          {fill.stops.length > 2 && (
            <button
              type="button"
              className={css.remove}
              aria-label={`Remove colour ${index + 1}`}
              onClick={() => act((draft) => void draft.stops.splice(index, 1), 'stops')}
            >
              <X size={14} aria-hidden />
            </button>
          )}
        </div>
      ))}
      {fill.stops.length < MAX_GRADIENT_STOPS && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => act((draft) => void draft.stops.push({ at: 1, color: '#ffffff' }), 'stops')}
        >
          Add colour
        </Button>
      )}
    </>
  );
}

/** The zone's background and its line. */
export function FillFields({ zone, model, data }: { zone: Zone; model: EditorModel; data: DataContext }) {
  const set = setterOf(model, zone);
  const { fill } = zone;
  return (
    <Section title="Fill and line">
      <BindingField
        label="Fill"
        customLabel="Own colour"
        binding={zone.bindings.fill}
        data={data}
        onChange={(next, key) =>
          model.actOn(zone.id, (draft) => bind(draft, 'fill', next), key && `fill.${key}`)
        }
      />
      <Pair>
        <SelectField
          label="Own fill"
          value={fill.kind}
          options={[
            { value: 'none', label: 'None' },
            { value: 'solid', label: 'Colour' },
            { value: 'linear', label: 'Gradient, straight' },
            { value: 'radial', label: 'Gradient, round' },
            { value: 'conic', label: 'Gradient, turning' },
            { value: 'image', label: 'Image' },
          ]}
          onChange={(kind) => set('fill')(newFill(kind, fill))}
        />
        {fill.kind === 'solid' && (
          <ColorField
            label="Fill colour"
            value={fill.color}
            onChange={(color) => set('fill')({ kind: 'solid', color })}
          />
        )}
      </Pair>
      {(fill.kind === 'linear' || fill.kind === 'radial' || fill.kind === 'conic') && (
        <GradientFields zone={zone} fill={fill} model={model} />
      )}
      {fill.kind === 'image' && (
        <ImageField
          label="Fill image"
          maxLength={MAX_SOURCE_LENGTH}
          value={fill.source}
          onChange={(source) =>
            model.actOn(
              zone.id,
              (draft) => {
                if (draft.fill.kind === 'image') draft.fill.source = source;
              },
              'fill.source',
            )
          }
        />
      )}
      <LineFields zone={zone} model={model} />
      {'radius' in zone && !partOf(zone).ownCorners && <RadiusFields zone={zone} model={model} />}
    </Section>
  );
}
