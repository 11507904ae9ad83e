import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Zone } from '../../../../core/scene/zone.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { bind } from '../state/zones.ts';
import { BindingField, type DataContext } from './binding-field.tsx';
import { Section, SelectField } from './fields.tsx';

/** Properties that can be driven, in words; those the zone does not have are left out. */
const PROPERTIES: readonly (readonly [path: string, name: string])[] = [
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
  ['style.family', 'Font'],
  ['style.size', 'Type size'],
  ['style.weight', 'Weight (400 is regular, 700 bold)'],
  ['style.axes', 'Axes of a variable font'],
  ['style.italic', 'Italic'],
  ['style.color', 'Text colour'],
  ['style.align', 'Alignment'],
  ['style.vAlign', 'Vertical alignment'],
  ['style.lineHeight', 'Line height'],
  ['style.letterSpacing', 'Letter spacing'],
  ['style.transform', 'Letters'],
  ['style.outline.color', 'Outline colour'],
  ['curve', 'Curve'],
  ['fit', 'Fit'],
  ['posX', 'Image across'],
  ['posY', 'Image down'],
  ['scale', 'Image scale'],
  ['points', 'Points'],
  ['shape', 'Form'],
  ['cols', 'Columns'],
  ['rows', 'Rows'],
  ['color', 'Code colour'],
];
/** Bound where their own fields are. */
const ELSEWHERE = new Set(['text', 'source', 'fill']);

function has(zone: Zone, path: string): boolean {
  let value: unknown = zone;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false;
    value = (value as Record<string, unknown>)[step];
  }
  return true;
}

/** Any property of the zone driven by a column or a formula. */
export function DrivenFields({ zone, model, data }: { zone: Zone; model: EditorModel; data: DataContext }) {
  const [adding, setAdding] = useState(false);
  const bound = Object.keys(zone.bindings).filter((path) => !ELSEWHERE.has(path));
  const free = PROPERTIES.filter(([path]) => !(path in zone.bindings) && has(zone, path));
  const nameOf = (path: string) => PROPERTIES.find(([one]) => one === path)?.[1] ?? path;
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
