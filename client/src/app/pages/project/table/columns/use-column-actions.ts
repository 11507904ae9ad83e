import { useCallback, useState } from 'react';
import type { TableColumn } from '../../../../../data/documents/documents.ts';
import { columnKey } from '../../../../../data/import/table.ts';
import type { Intent } from '../../../../../data/table/changes/change.ts';
import { copiesIn, moveColumn, withColumn } from '../../../../../data/table/changes/edits.ts';
import type { CardTable } from '../../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../../data/table/sync/table-state.ts';
import type { TableView } from '../../../../../data/table/view.ts';
import { toasts } from '../../../../../ui/toasts/engine.ts';
import { showUndoable } from '../saving/show-undoable.ts';
import type { useCardActions } from '../use-card-actions.ts';
import { shownColumns } from '../use-table-rows.ts';
import type { ColumnDraft } from './column-form.tsx';
import type { ColumnActions } from './column-header.tsx';

/** Actions on the columns of a table, and the column whose form is open. */
export function useColumnActions(
  table: CardTable,
  { component, cards }: TableState,
  run: ReturnType<typeof useCardActions>['run'],
  view: { set: (change: Partial<TableView>) => void; filter: (key: string) => void },
) {
  const [draft, setDraft] = useState<{ draft: ColumnDraft; at: number; isNew: boolean }>();
  const setColumns = useCallback(
    (label: string, next: readonly TableColumn[], more: object = {}, then: readonly Intent[] = []) =>
      run(label, [{ kind: 'component', patch: { columns: [...next], ...more } }, ...then]),
    [run],
  );
  const startColumn = (at: number, name = '') =>
    setDraft({
      draft: { column: { key: '', name, type: 'text' }, copies: false, id: false },
      at,
      isNew: true,
    });
  const saveColumn = ({ column, copies, id }: ColumnDraft) => {
    if (!draft) return;
    const all = component.columns;
    const options = column.options?.map((one) => one.trim()).filter((one) => one !== '');
    const key = draft.isNew ? columnKey(column.name, new Set(all.map((one) => one.key))) : column.key;
    const { options: _, ...rest } = column;
    const saved: TableColumn = { ...rest, key, ...(options && options.length > 0 && { options }) };
    const next = draft.isNew
      ? [...all.slice(0, draft.at), saved, ...all.slice(draft.at)]
      : all.map((one) => (one.key === key ? saved : one));
    // A column that begins to say how many there are is believed.
    const counted = copies && component.copiesColumn !== key ? copiesIn(cards, key) : undefined;
    const [fault] = counted?.faults ?? [];
    if (fault !== undefined) {
      toasts.show(fault, { type: 'error', autoCloseTime: 8_000, closeOnClick: false });
      return;
    }
    const marks = {
      ...(copies !== (component.copiesColumn === key) && { copiesColumn: copies ? key : null }),
      ...(id !== (component.idColumn === key) && { idColumn: id ? key : null }),
    };
    setColumns(draft.isNew ? 'new column' : 'edit column', next, marks, counted?.intents);
    setDraft(undefined);
  };
  const columnActions: ColumnActions = {
    edit: (key) => {
      const column = component.columns.find((one) => one.key === key);
      if (!column) return;
      const marks = { copies: component.copiesColumn === key, id: component.idColumn === key };
      setDraft({ draft: { column, ...marks }, at: 0, isNew: false });
    },
    insert: (key, side) =>
      startColumn(component.columns.findIndex((one) => one.key === key) + (side === 'after' ? 1 : 0)),
    move: (key, by) => {
      // Past the column that is seen beside it, whatever hidden ones lie between; those kept in view are a side of
      // their own.
      const shown = shownColumns(component);
      const at = shown.findIndex((one) => one.key === key);
      const [column, beside] = [shown[at], shown[at + by]];
      const to = component.columns.findIndex((one) => one.key === beside?.key);
      if (to < 0 || Boolean(column?.frozen) !== Boolean(beside?.frozen)) return;
      setColumns('move column', moveColumn(component.columns, key, to));
    },
    drop: (key, onto) => {
      const to = component.columns.findIndex((one) => one.key === onto);
      if (to >= 0 && onto !== key) setColumns('move column', moveColumn(component.columns, key, to));
    },
    hide: (key) => setColumns('hide column', withColumn(component.columns, key, { hidden: true })),
    translate: (key, translate) =>
      setColumns('translation of a column', withColumn(component.columns, key, { translate })),
    freeze: (key, frozen) => setColumns('keep in view', withColumn(component.columns, key, { frozen })),
    resize: (key, width) => setColumns('resize column', withColumn(component.columns, key, { width })),
    remove: (key) => {
      const next = component.columns.filter((one) => one.key !== key);
      const name = component.columns.find((one) => one.key === key)?.name ?? '';
      const done = setColumns('delete column', next, {
        ...(component.copiesColumn === key && { copiesColumn: null }),
        ...(component.idColumn === key && { idColumn: null }),
      });
      if (done > 0)
        showUndoable(table, `The column “${name}” was deleted.`, 'delete', { autoCloseTime: 6_000 });
    },
    sort: (sort) => view.set({ sort }),
    group: (groupBy) => view.set({ groupBy }),
    filter: view.filter,
  };
  return { setColumns, startColumn, saveColumn, columnActions, draft, closeDraft: () => setDraft(undefined) };
}
