import { Button, Checkbox } from '@mantine/core';
import { Plus, Route, Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import { MAX_PATH_POINTS, MAX_PATH_SPACES, type PathZone } from '../../../../../core/scene/zones/path.ts';
import { drawPathSpaces } from '../../generators/path-track.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { stickEnd } from '../../state/edits/path-points.ts';
import { allZones, findZone } from '../../state/zones/zones.ts';
import type { ZoneFieldsProps } from '../../zone-parts/zone-part.ts';
import { ColorField, LengthField, Pair, Section, SelectField } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { setterOf } from '../fields/set-property.ts';
import css from '../map/map-fields.module.css';
import { SpaceTraitFields } from './space-trait-fields.tsx';

/** A share of the zone, kept to four decimals: a hundredth of a millimetre on a side of 100 mm. */
const share = (mm: number, side: number): number =>
  side > 0 ? Math.min(2, Math.max(-1, Math.round((mm / side) * 1e4) / 1e4)) : 0;

/** A point goes after the last one, as far again as that lies from the one before it. */
function addPoint(zone: PathZone): void {
  const [last, before] = [zone.points.at(-1) ?? { x: 0, y: 0 }, zone.points.at(-2) ?? { x: 0, y: 0 }];
  const within = (value: number): number => Math.min(1, Math.max(0, value));
  zone.points.push({ x: within(2 * last.x - before.x), y: within(2 * last.y - before.y) });
}

/** Points of a path, in millimetres from the zone's corner. */
function PointFields({ zone, model }: { zone: PathZone; model: EditorModel }) {
  const move = (index: number, axis: 'x' | 'y', mm: number) =>
    model.actOn<PathZone>(
      zone.id,
      (draft) => {
        const point = draft.points[index];
        // An end that is moved by hand comes off what it stuck to.
        if (index === 0) draft.ends.from = '';
        if (index === draft.points.length - 1) draft.ends.to = '';
        if (point) point[axis] = share(mm, axis === 'x' ? draft.w : draft.h);
      },
      `point ${index} ${axis}`,
    );
  return (
    <Section title="Points">
      {zone.points.map(({ x, y }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place in the line
        <fieldset key={index} className={css.point} aria-label={`Point ${index + 1}`}>
          <LengthField
            label={`X ${index + 1}`}
            model={model}
            value={x * zone.w}
            onChange={(mm) => move(index, 'x', mm)}
          />
          <LengthField
            label={`Y ${index + 1}`}
            model={model}
            value={y * zone.h}
            onChange={(mm) => move(index, 'y', mm)}
          />
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Delete point ${index + 1}`}
            disabled={zone.points.length <= 2}
            onClick={() => model.actOn<PathZone>(zone.id, (draft) => void draft.points.splice(index, 1))}
          >
            <Trash2 size={14} aria-hidden />
          </Button>
        </fieldset>
      ))}
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={zone.points.length >= MAX_PATH_POINTS}
        onClick={() => model.actOn<PathZone>(zone.id, addPoint)}
      >
        Add point
      </Button>
    </Section>
  );
}

/** Spaces along a path. */
function PathSpaceFields({ zone, model }: { zone: PathZone; model: EditorModel }) {
  const change = (part: Partial<PathZone['spaces']>) =>
    model.actOn<PathZone>(
      zone.id,
      (draft) => {
        Object.assign(draft.spaces, part);
      },
      `spaces ${Object.keys(part)[0]}`,
    );
  const { count, size } = zone.spaces;
  return (
    <Section title="Spaces">
      <p className={css.note}>Places for pieces along the line, such as a track. They are not printed.</p>
      <Pair>
        <NumberField
          label="Spaces"
          whole
          min={0}
          max={MAX_PATH_SPACES}
          value={count}
          onChange={(value) => change({ count: value })}
        />
        {count > 0 && (
          <LengthField
            label="Size"
            model={model}
            min={1}
            max={500}
            value={size}
            onChange={(value) => change({ size: value as PathZone['spaces']['size'] })}
          />
        )}
      </Pair>
      {count > 0 && (
        <SpaceTraitFields
          traits={zone.spaces}
          onChange={(part) => change(part as Partial<PathZone['spaces']>)}
        />
      )}
      {count > 0 && (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Route size={14} aria-hidden />}
          onClick={() => drawPathSpaces(model, zone)}
        >
          Draw them with numbers
        </Button>
      )}
    </Section>
  );
}

/** Places that the ends of a path stick to, and move along with. */
function EndFields({ zone, model }: { zone: PathZone; model: EditorModel }) {
  const places = useStore(model.store, ({ scene }) => scene);
  const spaces = allZones(places.zones).filter(({ kind }) => kind === 'space');
  const { from, to } = zone.ends;
  if (spaces.length === 0 && from === '' && to === '') return null;
  const field = (end: 'from' | 'to', label: string) => {
    const value = zone.ends[end];
    const known = value === '' || spaces.some(({ id }) => id === value);
    return (
      <SelectField
        label={label}
        value={value}
        options={[
          { value: '', label: 'A free point' },
          ...(known ? [] : [{ value, label: findZone(places, value)?.name ?? 'A deleted place' }]),
          ...spaces.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(id) => stickEnd(model, zone.id, end, id)}
      />
    );
  };
  return (
    <Section title="Link">
      <p className={css.note}>An end that begins or ends at a space moves along with it.</p>
      <Pair>
        {field('from', 'Begins at')}
        {field('to', 'Ends at')}
      </Pair>
    </Section>
  );
}

/** Form of a path: its line and its points. */
export function PathFields({ zone, model }: ZoneFieldsProps<'path'>) {
  const set = setterOf(model, zone);
  return (
    <>
      <Section title="Path">
        <Pair>
          <LengthField
            label="Line width"
            model={model}
            min={0}
            max={50}
            value={zone.width}
            onChange={set('width')}
          />
          <ColorField label="Line colour" value={zone.color} onChange={set('color')} />
          <SelectField
            label="Line"
            value={zone.dash}
            options={[
              { value: 'solid', label: 'Solid' },
              { value: 'dashed', label: 'Dashed' },
              { value: 'dotted', label: 'Dotted' },
            ]}
            onChange={set('dash')}
          />
          <SelectField
            label="Arrows"
            value={zone.arrow}
            options={[
              { value: 'none', label: 'None' },
              { value: 'end', label: 'At the end' },
              { value: 'both', label: 'At both ends' },
            ]}
            onChange={set('arrow')}
          />
        </Pair>
        <Checkbox
          size="xs"
          label="Smooth"
          checked={zone.smooth}
          onChange={(event) => set('smooth')(event.currentTarget.checked)}
        />
        <Checkbox
          size="xs"
          label="Closed"
          checked={zone.closed}
          onChange={(event) => set('closed')(event.currentTarget.checked)}
        />
      </Section>
      <EndFields zone={zone} model={model} />
      <PathSpaceFields zone={zone} model={model} />
      <PointFields zone={zone} model={model} />
    </>
  );
}
