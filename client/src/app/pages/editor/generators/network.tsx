import { Textarea, TextInput } from '@mantine/core';
import { Waypoints } from 'lucide-react';
import { MAX_NETWORK_PLACES } from '../../../../core/board/network.ts';
import { networkZones } from '../../../../core/generators/network-zones.ts';
import { MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import { cutText } from '../../../../core/text/cut-text.ts';
import { ColorField, Pair } from '../panels/fields/fields.tsx';
import { NumberField } from '../panels/fields/number-field.tsx';
import css from '../panels/map/map-fields.module.css';
import { AnotherOne } from '../panels/terrain/another-one.tsx';
import { MAX_SEED_LENGTH } from '../panels/terrain/seed.ts';
import { anyGenerator, type SettingsFieldsProps } from './generator.ts';

interface NetworkFill {
  readonly seed: string;
  readonly count: number;
  /** Links beyond those needed, in percent of those that could be had. */
  readonly links: number;
  readonly size: number;
  /** One place a line. */
  readonly names: string;
  readonly colour: string;
  readonly line: string;
}

/** Longest list of names. */
const MAX_NAMES_LENGTH = MAX_NETWORK_PLACES * 40;

function NetworkFields({ settings, onChange }: SettingsFieldsProps<NetworkFill>) {
  const set = (change: Partial<NetworkFill>) => onChange({ ...settings, ...change });
  return (
    <>
      <Pair>
        <NumberField
          label="Places"
          whole
          min={1}
          max={MAX_NETWORK_PLACES}
          value={settings.count}
          onChange={(count) => set({ count })}
        />
        <NumberField
          label="Size"
          unit="mm"
          step={1}
          min={3}
          max={60}
          value={settings.size}
          onChange={(size) => set({ size })}
        />
        <NumberField
          label="More links"
          unit="%"
          step={5}
          min={0}
          max={100}
          value={settings.links}
          onChange={(links) => set({ links })}
        />
        <TextInput
          size="xs"
          label="Seed"
          maxLength={MAX_SEED_LENGTH}
          value={settings.seed}
          onChange={(event) => set({ seed: event.currentTarget.value })}
        />
        <ColorField label="Colour" value={settings.colour} onChange={(colour) => set({ colour })} />
        <ColorField label="Links" value={settings.line} onChange={(line) => set({ line })} />
      </Pair>
      <Textarea
        size="xs"
        label="Names"
        description="One a line. Places without a name are numbered."
        autosize
        minRows={3}
        maxRows={8}
        maxLength={MAX_NAMES_LENGTH}
        value={settings.names}
        onChange={(event) => set({ names: event.currentTarget.value })}
      />
      <div className={css.row}>
        <AnotherOne onSeed={(seed) => set({ seed })} />
      </div>
    </>
  );
}

/** Places joined by links that never cross. */
export const NETWORK = anyGenerator<NetworkFill>({
  id: 'network',
  name: 'Places and links',
  label: 'Add places and links',
  icon: Waypoints,
  first: { seed: '1', count: 16, links: 40, size: 12, names: '', colour: '#c1443c', line: '#6b5b45' },
  make: ({ x, y, w, h }, settings, newId) =>
    networkZones(
      { x, y, w, h },
      {
        name: 'Place',
        seed: settings.seed,
        count: settings.count,
        density: settings.links / 100,
        names: settings.names
          .split('\n')
          .map((name) => cutText(name.trim(), MAX_NAME_LENGTH))
          .filter((name) => name !== ''),
      },
      {
        colours: [settings.colour],
        size: settings.size,
        link: { color: settings.line, width: Math.max(0.6, settings.size / 8), dash: 'dashed' },
        rim: '#fffaf0',
        type: {
          family: 'alegreya-sc',
          weight: 700,
          size: Math.max(6, settings.size * 0.7),
          color: '#3a3326',
        },
      },
      newId,
    ),
  Fields: NetworkFields,
});
