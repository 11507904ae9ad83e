import { type RefObject, useEffect, useRef, useState } from 'react';
import type { TableState } from '../../../../data/table/sync/table-state.ts';
import { PLAIN_VIEW, type TableView, type ViewRow } from '../../../../data/table/view.ts';
import type { SheetColumn, SheetHandle } from './sheet/sheet.tsx';

/** Position of the cursor: a card and a column. */
export interface TableCursor {
  readonly card: string;
  readonly column: string;
  readonly editing: boolean;
}

/** Destination of the table: a cell, or the form of a new column. */
export interface TableTarget {
  readonly card: string;
  readonly column: string | undefined;
  /** Name of a column to add. */
  readonly newColumn?: string;
}

/** A place to go to, kept until its row is shown; a new object goes there again. */
export function useDestination(
  target: TableTarget | undefined,
  onNewColumn: (name: string) => void,
  readOnly: boolean,
) {
  const [goTo, setGoTo] = useState<TableTarget>();
  const openForm = useRef(onNewColumn);
  openForm.current = onNewColumn;
  useEffect(() => {
    // A cell under the cursor would take the keys typed into the form.
    if (target?.newColumn !== undefined && !readOnly) openForm.current(target.newColumn);
    else setGoTo(target);
  }, [target, readOnly]);
  return [goTo, setGoTo] as const;
}

/** Goes to the destination as soon as its row is shown. */
export function useGoTo(
  sheet: RefObject<SheetHandle | null>,
  [goTo, setGoTo]: ReturnType<typeof useDestination>,
  shown: {
    readonly state: TableState;
    readonly rows: readonly ViewRow[];
    readonly columns: readonly SheetColumn[];
    readonly view: TableView;
    readonly setView: (view: TableView) => void;
  },
): void {
  const { state, rows, columns, view, setView } = shown;
  useEffect(() => {
    if (!goTo) return;
    const row = rows.findIndex(({ id }) => id === goTo.card);
    if (row < 0) {
      // Filters are cleared if they hide the destination.
      if (state.byId.has(goTo.card) && view !== PLAIN_VIEW) setView(PLAIN_VIEW);
      return;
    }
    const column = columns.findIndex(({ key }) => key === goTo.column);
    sheet.current?.select(row, Math.max(0, column));
    setGoTo(undefined);
  }, [sheet, goTo, setGoTo, rows, columns, state.byId, view, setView]);
}
