import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { Layout } from '../../../../core/scene/layout.ts';
import type { Zone } from '../../../../core/scene/zones.ts';
import { allZones } from '../../../../core/table/preflight.ts';
import css from '../project.module.css';
import type { Looks } from './use-looks.ts';

interface Property {
  readonly label: string;
  readonly path: string;
  readonly hint: string;
  /** The zone's own value, as text. */
  readonly of: (zone: Zone) => string | undefined;
}

const asText = (value: unknown) => (value === undefined || value === null ? undefined : String(value));

const PROPERTIES: readonly Property[] = [
  {
    label: 'Text colour',
    path: 'style.color',
    hint: '#a00',
    of: (zone) => (zone.kind === 'text' ? asText(zone.style.color) : undefined),
  },
  {
    label: 'Type size, pt',
    path: 'style.size',
    hint: '9',
    of: (zone) => (zone.kind === 'text' ? asText(zone.style.size) : undefined),
  },
  {
    label: 'Alignment',
    path: 'style.align',
    hint: 'center',
    of: (zone) => (zone.kind === 'text' ? asText(zone.style.align) : undefined),
  },
  { label: 'Fill', path: 'fill', hint: '#eee or none', of: () => '' },
  { label: 'Opacity', path: 'opacity', hint: '0.5', of: (zone) => asText(zone.opacity) },
  { label: 'Left, mm', path: 'x', hint: '5', of: (zone) => asText(Number(zone.x.toFixed(2))) },
  { label: 'Top, mm', path: 'y', hint: '5', of: (zone) => asText(Number(zone.y.toFixed(2))) },
  { label: 'Width, mm', path: 'w', hint: '50', of: (zone) => asText(Number(zone.w.toFixed(2))) },
  { label: 'Height, mm', path: 'h', hint: '8', of: (zone) => asText(Number(zone.h.toFixed(2))) },
  { label: 'Rotation, degrees', path: 'rotation', hint: '0', of: (zone) => asText(zone.rotation) },
  { label: 'Hidden', path: 'hidden', hint: 'true', of: (zone) => asText(zone.hidden) },
];

/** Fields for the appearance of single zones on this card alone. */
export function CardOverrides({
  layout,
  chosen,
  onChoose,
  looks,
}: {
  layout: Layout | undefined;
  /** Id of the zone whose looks are edited. */
  chosen: string;
  onChoose: (zone: string) => void;
  looks: Looks;
}) {
  const zones = layout ? allZones(layout) : [];
  const zone = zones.find(({ id }) => id === chosen) ?? zones[0];
  if (!zone) return <p className={css.quiet}>A layout with zones comes first.</p>;
  const properties = looks.of(zone.name);
  return (
    <>
      <p className={css.quiet}>
        Drag and resize zones on the card, or set them here. Empty fields are as on every card.
      </p>
      <NativeSelect
        label="Zone"
        value={zone.id}
        data={zones.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => onChoose(event.currentTarget.value)}
      />
      <div className={css.pairs}>
        {PROPERTIES.flatMap(({ label, path, hint, of }) => {
          const usual = of(zone);
          if (usual === undefined) return [];
          const own = properties.find(([name]) => name === path)?.[1] ?? '';
          return [
            <TextInput
              key={path}
              size="sm"
              label={label}
              placeholder={usual === '' ? hint : usual}
              value={own}
              onChange={(event) => looks.set(zone.name, [[path, event.currentTarget.value]])}
            />,
          ];
        })}
      </div>
      <Button
        variant="default"
        size="xs"
        disabled={properties.length === 0}
        onClick={() => looks.restore(zone.name, '')}
      >
        As on every card
      </Button>
    </>
  );
}
