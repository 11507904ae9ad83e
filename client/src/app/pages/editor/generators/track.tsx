import { TextInput } from '@mantine/core';
import { Route } from 'lucide-react';
import type { Course } from '../../../../core/board/curve.ts';
import type { SpaceTraits } from '../../../../core/board/space.ts';
import {
  MAX_TRACK_PLACES,
  placesOnLine,
  TRACK_COURSES,
  type TrackCourse,
  type TrackPlace,
} from '../../../../core/board/track.ts';
import { evaluate, textOf } from '../../../../core/expression/expression.ts';
import { placeScope, type TrackNumbers, trackNumbers } from '../../../../core/generators/track-numbers.ts';
import { type TrackContent, trackZones } from '../../../../core/generators/track-zones.ts';
import { MAX_FORMULA_LENGTH, MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import type { Box } from '../../../../core/scene/zones/definition.ts';
import { cutText } from '../../../../core/text/cut-text.ts';
import { ColorField, Pair, SelectField } from '../panels/fields/fields.tsx';
import { NumberField } from '../panels/fields/number-field.tsx';
import { SpaceRoleField } from '../panels/spaces/space-role-field.tsx';
import { anyGenerator, type SettingsFieldsProps } from './generator.ts';

export interface TrackFill extends Omit<TrackContent, 'label' | 'title' | 'places' | 'traits'>, TrackNumbers {
  readonly colour: string;
  readonly other: string;
  readonly size: number;
  readonly round: boolean;
  /** Traits of its spaces that are not the usual ones. */
  readonly traits: Partial<SpaceTraits>;
  /** The line that its places lie along, in shares of the box; without points they follow the course. */
  readonly line: Course;
}

/** True for places along somebody's own line. */
const hasLine = ({ line }: TrackFill): boolean => line.points.length > 1;

/** Places along a line in a box. */
const onLine = ({ line, count, depth }: TrackFill, { w, h }: Box): TrackPlace[] =>
  placesOnLine({ ...line, points: line.points.map(({ x, y }) => ({ x: x * w, y: y * h })) }, count, depth);

const COURSE_NAMES: Readonly<Record<TrackCourse, string>> = {
  edge: 'Round the edge',
  serpentine: 'Back and forth',
  spiral: 'Spiral inwards',
  round: 'Round an oval',
  line: 'Straight',
};
/** Largest number on a place. */
const MAX_NUMBER = 10_000;
/** Longest result of a formula shown. */
const MAX_SHOWN = 60;
const LINE = { color: '#2b2d42', width: 0.4, align: 'inside' as const, dash: [] };

/** Numbers on the places. */
function NumberingFields({
  settings,
  onChange,
}: Pick<SettingsFieldsProps<TrackFill>, 'settings' | 'onChange'>) {
  const set = (change: Partial<TrackFill>) => onChange({ ...settings, ...change });
  if (settings.by === 'formula') return <PlaceFormula settings={settings} onChange={onChange} />;
  return (
    <Pair>
      <NumberField
        label="First number"
        whole
        min={-MAX_NUMBER}
        max={MAX_NUMBER}
        value={settings.from}
        onChange={(from) => set({ from })}
      />
      <NumberField
        label="Count by"
        whole
        min={-MAX_NUMBER}
        max={MAX_NUMBER}
        value={settings.step}
        onChange={(step) => set({ step })}
      />
      <NumberField
        label="Number every"
        whole
        min={0}
        max={MAX_TRACK_PLACES}
        value={settings.every}
        onChange={(every) => set({ every })}
      />
    </Pair>
  );
}

/** The formula of a place, with what it gives for the last one: it says most of where the numbers go. */
function PlaceFormula({ settings, onChange }: Pick<SettingsFieldsProps<TrackFill>, 'settings' | 'onChange'>) {
  const { formula, count } = settings;
  const result = evaluate(formula, placeScope(count, count));
  const shown = result.ok ? cutText(textOf(result.value), MAX_SHOWN) : '';
  return (
    <TextInput
      size="xs"
      label="Formula"
      spellCheck={false}
      maxLength={MAX_FORMULA_LENGTH}
      value={formula}
      description={result.ok && `n is the place, count all of them. Place ${count}: ${shown || '(blank)'}`}
      error={!result.ok && `${result.error.message} At ${result.error.at + 1}.`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={(event) => onChange({ ...settings, formula: event.currentTarget.value })}
    />
  );
}

function TrackFields({ settings, onChange }: SettingsFieldsProps<TrackFill>) {
  const set = (change: Partial<TrackFill>) => onChange({ ...settings, ...change });
  const lined = hasLine(settings);
  const deep = lined || settings.course === 'edge' || settings.course === 'round';
  return (
    <>
      <TextInput
        size="xs"
        label="Name of its places"
        value={settings.name}
        maxLength={MAX_NAME_LENGTH}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {!lined && (
        <SelectField
          label="Course"
          value={settings.course}
          options={TRACK_COURSES.map((value) => ({ value, label: COURSE_NAMES[value] }))}
          onChange={(course) => set({ course })}
        />
      )}
      <Pair>
        <NumberField
          label="Places"
          whole
          min={1}
          max={MAX_TRACK_PLACES}
          value={settings.count}
          onChange={(count) => set({ count })}
        />
        {!lined && (
          <NumberField
            label="Gap"
            unit="mm"
            min={0}
            max={30}
            value={settings.gap}
            onChange={(gap) => set({ gap })}
          />
        )}
        {deep && (
          <NumberField
            label={lined ? 'Size' : 'Depth'}
            unit="mm"
            step={1}
            min={2}
            max={300}
            value={settings.depth}
            onChange={(depth) => set({ depth })}
          />
        )}
        <SelectField
          label="Places are"
          value={settings.round ? 'circle' : 'rectangle'}
          options={[
            { value: 'rectangle', label: lined ? 'Squares' : 'Rectangles' },
            { value: 'circle', label: lined ? 'Circles' : 'Ovals' },
          ]}
          onChange={(form) => set({ round: form === 'circle' })}
        />
        <SpaceRoleField value={settings.role} onChange={(role) => set({ role })} />
        <SelectField
          label="Numbers"
          value={settings.by}
          options={[
            { value: 'counting', label: 'Counted on' },
            { value: 'formula', label: 'By a formula' },
          ]}
          onChange={(by) => set({ by })}
        />
        <NumberField
          label="Letters"
          unit="pt"
          step={1}
          min={4}
          max={200}
          value={settings.size}
          onChange={(size) => set({ size })}
        />
        <ColorField label="Colour" value={settings.colour} onChange={(colour) => set({ colour })} />
        <ColorField label="In turn with" value={settings.other} onChange={(other) => set({ other })} />
      </Pair>
      <NumberingFields settings={settings} onChange={onChange} />
    </>
  );
}

/** Settings of a track to begin with. */
export const FIRST_TRACK: TrackFill = {
  name: 'Place',
  course: 'edge',
  count: 40,
  depth: 24,
  gap: 1,
  role: 'spot',
  by: 'counting',
  from: 1,
  step: 1,
  every: 1,
  formula: 'n * (n + 1) / 2',
  colour: '#f4d58d',
  other: '#e9edc9',
  size: 12,
  round: false,
  traits: {},
  line: { points: [], smooth: false, closed: false },
};

/** A track of numbered places. */
export const TRACK = anyGenerator<TrackFill>({
  id: 'track',
  name: 'Track',
  label: 'Add a track',
  icon: Route,
  first: FIRST_TRACK,
  make: (box, settings, newId) => {
    const { labels, titles } = trackNumbers(settings.count, settings);
    return trackZones(
      box,
      {
        ...settings,
        ...(hasLine(settings) && { places: onLine(settings, box) }),
        title: (index) => titles[index] ?? '',
        label: (index) => labels[index] ?? '',
      },
      {
        colours: [settings.colour, settings.other],
        stroke: LINE,
        round: settings.round,
        type: { family: 'oswald', weight: 500, size: settings.size, color: '#2b2d42' },
      },
      newId,
    );
  },
  Fields: TrackFields,
});
