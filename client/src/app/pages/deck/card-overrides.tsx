import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatStyle, parseStyle, stylePath } from '../../../core/scene/style-override.ts';
import type { Layout, Zone } from '../../../core/scene/zone.ts';
import { allZones } from '../../../core/table/preflight.ts';
import type { Component, TableColumn } from '../../../data/documents.ts';
import { columnKey } from '../../../data/import/table.ts';
import css from './deck.module.css';

interface Property {
  readonly label: string;
  readonly path: string;
  readonly hint: string;
  /** The zone's own value, as text. */
  readonly of: (zone: Zone) => string | undefined;
}

const own = (value: unknown) => (value === undefined || value === null ? undefined : String(value));

const PROPERTIES: readonly Property[] = [
  {
    label: 'Text colour',
    path: 'style.color',
    hint: '#a00',
    of: (zone) => (zone.kind === 'text' ? own(zone.style.color) : undefined),
  },
  {
    label: 'Type size, pt',
    path: 'style.size',
    hint: '9',
    of: (zone) => (zone.kind === 'text' ? own(zone.style.size) : undefined),
  },
  {
    label: 'Alignment',
    path: 'style.align',
    hint: 'center',
    of: (zone) => (zone.kind === 'text' ? own(zone.style.align) : undefined),
  },
  { label: 'Fill', path: 'fill', hint: '#eee or none', of: () => '' },
  { label: 'Opacity', path: 'opacity', hint: '0.5', of: (zone) => own(zone.opacity) },
  { label: 'Left, mm', path: 'x', hint: '5', of: (zone) => own(Number(zone.x.toFixed(2))) },
  { label: 'Top, mm', path: 'y', hint: '5', of: (zone) => own(Number(zone.y.toFixed(2))) },
  { label: 'Width, mm', path: 'w', hint: '50', of: (zone) => own(Number(zone.w.toFixed(2))) },
  { label: 'Height, mm', path: 'h', hint: '8', of: (zone) => own(Number(zone.h.toFixed(2))) },
  { label: 'Rotation, degrees', path: 'rotation', hint: '0', of: (zone) => own(zone.rotation) },
  { label: 'Hidden', path: 'hidden', hint: 'true', of: (zone) => own(zone.hidden) },
];

const fold = (name: string) => name.trim().toLowerCase();

/** How single zones look on this card alone; kept in columns named after the zones. */
export function CardOverrides({
  layout,
  component,
  cells,
  onChange,
  onColumns,
}: {
  layout: Layout | undefined;
  component: Component;
  cells: Readonly<Record<string, string>>;
  onChange: (key: string, cell: string) => void;
  onColumns: (columns: TableColumn[]) => void;
}) {
  const zones = layout ? allZones(layout) : [];
  const [chosen, setChosen] = useState('');
  const zone = zones.find(({ id }) => id === chosen) ?? zones[0];
  if (!zone) return <p className={css.quiet}>A layout with zones comes first.</p>;
  const column = component.columns.find(({ name }) => fold(name) === `${fold(zone.name)} style`);
  const properties = parseStyle(column ? (cells[column.key] ?? '') : '');
  const set = (path: string, value: string) => {
    if (!column) return;
    const rest = properties.filter(([name]) => stylePath(name) !== path);
    onChange(column.key, formatStyle(value.trim() === '' ? rest : [...rest, [path, value]]));
  };
  return (
    <>
      <NativeSelect
        label="Zone"
        value={zone.id}
        data={zones.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      {column ? (
        <div className={css.pairs}>
          {PROPERTIES.flatMap(({ label, path, hint, of }) => {
            const usual = of(zone);
            if (usual === undefined) return [];
            const chosenValue = properties.find(([name]) => stylePath(name) === path)?.[1] ?? '';
            return [
              <TextInput
                key={path}
                size="sm"
                label={label}
                placeholder={usual === '' ? hint : usual}
                value={chosenValue}
                onChange={(event) => set(path, event.currentTarget.value)}
              />,
            ];
          })}
        </div>
      ) : (
        <div className={css.quiet}>
          <p>“{zone.name}” looks the same on every card so far.</p>
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              const name = `${zone.name} style`;
              const key = columnKey(name, new Set(component.columns.map((one) => one.key)));
              onColumns([...component.columns, { key, name, type: 'style' }]);
            }}
          >
            Change it on single cards
          </Button>
        </div>
      )}
    </>
  );
}
