import { useRef } from 'react';
import { cellAt } from '../../../../core/records.ts';
import { formatStyle, parseStyle, stylePath } from '../../../../core/scene/card/style-override.ts';
import type { Component, TableColumn } from '../../../../data/documents/documents.ts';
import { columnKey } from '../../../../data/import/table.ts';

/** Appearance of zones on one card alone, stored in columns named after the zones. */
export interface Looks {
  /** The properties a zone has on this card alone. */
  of(zone: string): readonly (readonly [path: string, value: string])[];
  /** Changes some of them; an empty value is as on every card. */
  set(zone: string, changes: readonly (readonly [path: string, value: string])[]): void;
  /** The cell that holds them, as it is, and as it was. */
  text(zone: string): string;
  restore(zone: string, text: string): void;
}

const fold = (name: string) => name.trim().toLowerCase();

/** The columns and cells of a card; kept up to date, as a drag changes a cell many times between two renders. */
interface Now {
  columns: Component['columns'];
  cells: Readonly<Record<string, string>>;
}

export function useLooks(
  component: Component,
  cells: Readonly<Record<string, string>>,
  onChange: (key: string, cell: string) => void,
  onColumns: (columns: TableColumn[]) => void,
): Looks {
  const now = useRef<Now>({ columns: component.columns, cells });
  Object.assign(now.current, { columns: component.columns, cells });
  return looksOf(now.current, onChange, onColumns);
}

/** @param onColumns a zone that never differed before gets its column */
export function looksOf(
  now: Now,
  onChange: (key: string, cell: string) => void,
  onColumns: (columns: TableColumn[]) => void,
): Looks {
  const columnOf = (zone: string) => now.columns.find(({ name }) => fold(name) === `${fold(zone)} style`);
  const text = (zone: string) => {
    const column = columnOf(zone);
    return column ? cellAt(now.cells, column.key) : '';
  };
  const write = (key: string, cell: string) => {
    now.cells = { ...now.cells, [key]: cell };
    onChange(key, cell);
  };
  const ownColumn = (zone: string): TableColumn => {
    const found = columnOf(zone);
    if (found) return found;
    const { columns } = now;
    const name = `${zone} style`;
    const made: TableColumn = {
      key: columnKey(name, new Set(columns.map(({ key }) => key))),
      name,
      type: 'style',
    };
    now.columns = [...columns, made];
    onColumns([...columns, made]);
    return made;
  };
  return {
    of: (zone) => parseStyle(text(zone)).map(([name, value]) => [stylePath(name), value] as const),
    text,
    set(zone, changes) {
      const paths = new Set(changes.map(([path]) => path));
      const rest = parseStyle(text(zone)).filter(([name]) => !paths.has(stylePath(name)));
      write(
        ownColumn(zone).key,
        formatStyle([...rest, ...changes.filter(([, value]) => value.trim() !== '')]),
      );
    },
    restore(zone, before) {
      const column = columnOf(zone);
      if (column) write(column.key, before);
    },
  };
}
