import { Button, Textarea, TextInput } from '@mantine/core';
import { Bookmark, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import * as z from 'zod';
import { MAX_CLIP_LENGTH } from '../../../../../core/scene/limits.ts';
import type { Zone } from '../../../../../core/scene/zones.ts';
import { useUserObject } from '../../../../../data/user-object/use-user-object.ts';
import bar from '../../../../../ui/toolbar/toolbar.module.css';
import type { EditorModel } from '../../state/editor-store.ts';
import { SelectField } from '../fields/fields.tsx';
import { setterOf } from '../fields/set-property.ts';
import css from '../panels.module.css';

/** Shapes to cut a zone to. */
const SHAPES = [
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
/** Most shapes kept, and the longest name of one. */
const MAX_SHAPES = 100;
const MAX_SHAPE_NAME = 60;

const shapeSchema = z.object({ name: z.string(), clipPath: z.string().max(MAX_CLIP_LENGTH) });
type SavedShape = z.infer<typeof shapeSchema>;

/** The shapes among the user's settings; what cannot be read is left alone. */
const shapesIn = (stored: readonly unknown[]): SavedShape[] =>
  stored.flatMap((one) => {
    const read = shapeSchema.safeParse(one);
    return read.success ? [read.data] : [];
  });

/** Clipping shape of a zone: a built-in one, one of the user's own, or one written by hand and stored. */
export function ClipFields({ zone, model }: { zone: Zone; model: EditorModel }) {
  const set = setterOf(model, zone);
  const { userObject, save } = useUserObject();
  const [name, setName] = useState('');
  const saved = useMemo(() => shapesIn(userObject.globalShapes), [userObject.globalShapes]);
  const options = [...SHAPES, ...saved.map((shape) => ({ label: shape.name, value: shape.clipPath }))];
  const known = options.some(({ value }) => value === zone.clipPath);
  const own = saved.find(({ clipPath }) => clipPath === zone.clipPath);
  const keep = () => {
    const shape = { name: name.trim(), clipPath: zone.clipPath };
    setName('');
    void save(({ globalShapes }) => ({ globalShapes: [...globalShapes, shape].slice(-MAX_SHAPES) }));
  };
  return (
    <>
      <SelectField
        label="Cut to"
        value={known ? zone.clipPath : CUSTOM}
        options={[...options, ...(known ? [] : [{ value: CUSTOM, label: 'Own shape' }])]}
        onChange={(value) => {
          if (value !== CUSTOM) set('clipPath')(value);
        }}
      />
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
      {!known && (
        <form
          className={css.named}
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') keep();
          }}
        >
          <TextInput
            size="xs"
            label="Keep this shape as"
            placeholder="Name"
            maxLength={MAX_SHAPE_NAME}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <button type="submit" className={bar.tool} aria-label="Keep shape" disabled={name.trim() === ''}>
            <Bookmark size={15} aria-hidden />
          </button>
        </form>
      )}
      {own && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<Trash2 size={14} aria-hidden />}
          onClick={() =>
            void save(({ globalShapes }) => ({
              globalShapes: globalShapes.filter((one) => shapesIn([one])[0]?.clipPath !== own.clipPath),
            }))
          }
        >
          Forget the shape <bdi>{own.name}</bdi>
        </Button>
      )}
    </>
  );
}
