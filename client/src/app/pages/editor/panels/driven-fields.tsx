import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Zone } from '../../../../core/scene/zones.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { bind } from '../state/zones/zones.ts';
import { partOf } from '../zone-parts.ts';
import { BindingField, type DataContext } from './fields/binding-field.tsx';
import { Section, SelectField } from './fields/fields.tsx';

/** Properties of every kind that can be driven, in words. */
const COMMON: readonly (readonly [path: string, name: string])[] = [
  ['hidden', 'Hidden'],
  ['x', 'X'],
  ['y', 'Y'],
  ['w', 'Width'],
  ['h', 'Height'],
  ['rotation', 'Rotation'],
  ['opacity', 'Opacity'],
  ['blend', 'Blend'],
  ['flipX', 'Flip across'],
  ['flipY', 'Flip down'],
  ['clipPath', 'Shape it is cut to'],
  ['mask.source', 'Mask image'],
  ['stroke.width', 'Line width'],
  ['stroke.color', 'Line colour'],
];
/** Bound where their own fields are. */
const ELSEWHERE = /^(?:text|source|fill|terrains\..\.source)$/;

/** Any property of the zone driven by a column or a formula. */
export function DrivenFields({ zone, model, data }: { zone: Zone; model: EditorModel; data: DataContext }) {
  const [adding, setAdding] = useState(false);
  const bound = Object.keys(zone.bindings).filter((path) => !ELSEWHERE.test(path));
  const properties = [...COMMON, ...partOf(zone).driven];
  const free = properties.filter(([path]) => !(path in zone.bindings));
  const nameOf = (path: string) => properties.find(([one]) => one === path)?.[1] ?? path;
  return (
    <Section title="Driven by data">
      {bound.map((path) => (
        <BindingField
          key={path}
          label={nameOf(path)}
          customLabel="Its own value"
          binding={zone.bindings[path]}
          data={data}
          onChange={(next, key) =>
            model.actOn(zone.id, (draft) => bind(draft, path, next), key && `${path}.${key}`)
          }
        />
      ))}
      {adding ? (
        <SelectField
          label="Property"
          value=""
          options={[{ value: '', label: 'Choose…' }, ...free.map(([value, label]) => ({ value, label }))]}
          onChange={(path) => {
            setAdding(false);
            if (path !== '')
              model.actOn(zone.id, (draft) => bind(draft, path, { mode: 'formula', formula: '' }));
          }}
        />
      ) : (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Drive a property
        </Button>
      )}
    </Section>
  );
}
