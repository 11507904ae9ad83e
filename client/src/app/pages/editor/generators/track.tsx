import { TextInput } from '@mantine/core';
import { Route } from 'lucide-react';
import { MAX_TRACK_PLACES, TRACK_COURSES, type TrackCourse } from '../../../../core/board/track.ts';
import { type TrackContent, trackZones } from '../../../../core/generators/track-zones.ts';
import { MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import { ColorField, Pair, SelectField } from '../panels/fields.tsx';
import { NumberField } from '../panels/number-field.tsx';
import { SpaceRoleField } from '../panels/space-role-field.tsx';
import { anyGenerator, type SettingsFieldsProps } from './generator.ts';

interface TrackFill extends Omit<TrackContent, 'label' | 'title'> {
  /** Number on the first place. */
  readonly from: number;
  readonly step: number;
  /** Only every so many places are numbered; 0 numbers none. */
  readonly every: number;
  readonly colour: string;
  readonly other: string;
  readonly size: number;
}

const COURSE_NAMES: Readonly<Record<TrackCourse, string>> = {
  edge: 'Round the edge',
  serpentine: 'Back and forth',
  spiral: 'Spiral inwards',
  round: 'Round an oval',
  line: 'Straight',
};
/** Largest number on a place. */
const MAX_NUMBER = 10_000;
const LINE = { color: '#2b2d42', width: 0.4, align: 'inside' as const, dash: [] };

function TrackFields({ settings, onChange }: SettingsFieldsProps<TrackFill>) {
  const set = (change: Partial<TrackFill>) => onChange({ ...settings, ...change });
  const deep = settings.course === 'edge' || settings.course === 'round';
  return (
    <>
      <TextInput
        size="xs"
        label="Name of its places"
        value={settings.name}
        maxLength={MAX_NAME_LENGTH}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <SelectField
        label="Course"
        value={settings.course}
        options={TRACK_COURSES.map((value) => ({ value, label: COURSE_NAMES[value] }))}
        onChange={(course) => set({ course })}
      />
      <Pair>
        <NumberField
          label="Places"
          whole
          min={1}
          max={MAX_TRACK_PLACES}
          value={settings.count}
          onChange={(count) => set({ count })}
        />
        <NumberField
          label="Gap"
          unit="mm"
          min={0}
          max={30}
          value={settings.gap}
          onChange={(gap) => set({ gap })}
        />
        {deep && (
          <NumberField
            label="Depth"
            unit="mm"
            step={1}
            min={2}
            max={300}
            value={settings.depth}
            onChange={(depth) => set({ depth })}
          />
        )}
        <SpaceRoleField value={settings.role} onChange={(role) => set({ role })} />
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
    </>
  );
}

/** A track of numbered places. */
export const TRACK = anyGenerator<TrackFill>({
  id: 'track',
  name: 'Track',
  label: 'Add a track',
  icon: Route,
  first: {
    name: 'Place',
    course: 'edge',
    count: 40,
    depth: 24,
    gap: 1,
    role: 'spot',
    from: 1,
    step: 1,
    every: 1,
    colour: '#f4d58d',
    other: '#e9edc9',
    size: 12,
  },
  make: (box, settings, newId) =>
    trackZones(
      box,
      {
        ...settings,
        // Numbers that do not go on would give several places one name.
        title: (index) => String(settings.step === 0 ? index + 1 : settings.from + index * settings.step),
        label: (index) =>
          settings.every > 0 && index % settings.every === 0
            ? String(settings.from + index * settings.step)
            : '',
      },
      {
        colours: [settings.colour, settings.other],
        stroke: LINE,
        type: { family: 'oswald', weight: 500, size: settings.size, color: '#2b2d42' },
      },
      newId,
    ),
  Fields: TrackFields,
});
