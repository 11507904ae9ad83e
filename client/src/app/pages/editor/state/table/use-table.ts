import { useCallback, useMemo } from 'react';
import { cellAt } from '../../../../../core/records.ts';
import type { Card, Component, TableColumn, WithId } from '../../../../../data/documents/documents.ts';
import type { Project } from '../../../../../data/project/open-project.ts';
import { useCards, useComponents } from '../../../../../data/project/queries.ts';
import { useSettledCards } from '../../../../../data/table/formula/use-computed-cards.ts';

/** A card of the table beside the layout. */
export interface TableRow {
  readonly name: string;
  readonly cells: Readonly<Record<string, string>>;
}

/** The table a layout is looked at with. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** Ids of the layouts of its cards' fronts and backs. */
  readonly sides?: { readonly front: string | null; readonly back: string | null };
}

const EMPTY: Table = { columns: [], rows: [] };

function nameOf(card: WithId<Card>, columns: readonly TableColumn[]): string {
  const named = columns.find(({ name }) => /^(name|title)$/i.test(name)) ?? columns[0];
  return (named && cellAt(card.cells, named.key).trim()) || `Card ${card.order + 1}`;
}

/** The table beside a layout, and the cells of the row that is shown. */
export interface ShownTable extends Table {
  /** Cells of a row, worked out before those of the others. */
  readonly cellsAt: (row: number) => TableRow['cells'] | undefined;
}

/** The component's columns and cards, live; an empty table when there is no component. */
export function useTable(project: Project | undefined, component: string | undefined): ShownTable {
  const components = useComponents(project);
  const cards = useCards(component === undefined ? undefined : project, component ?? '');
  const found: WithId<Component> | undefined = components.data?.items.find((one) => one.id === component);
  const list = cards.data?.items;
  const computed = useSettledCards(list, found);
  const table = useMemo<Table>(() => {
    if (!found || !computed) return EMPTY;
    return {
      columns: found.columns,
      sides: { front: found.layoutId, back: found.backLayoutId },
      rows: computed.cards.map((card) => ({ name: nameOf(card, found.columns), cells: card.cells })),
    };
  }, [found, computed]);
  const cellsAt = useCallback(
    (row: number) => {
      const card = list?.[row];
      if (!card || !computed) return undefined;
      return computed.settled ? computed.cards[row]?.cells : computed.seen(card);
    },
    [list, computed],
  );
  return useMemo(() => ({ ...table, cellsAt }), [table, cellsAt]);
}
