import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { TableColumn } from '../../../../data/documents.ts';
import { CARD_STATUSES } from '../../../../data/documents.ts';
import { columnKey } from '../../../../data/import/table.ts';
import type { CardTable, TableState } from '../../../../data/table/card-table.ts';
import type { Intent } from '../../../../data/table/change.ts';
import {
  type CellEdit,
  COPIES_KEY,
  moveColumn,
  newCard,
  orderAfter,
  STATUS_KEY,
  understand,
  withColumn,
} from '../../../../data/table/edits.ts';
import { PLAIN_VIEW, type TableView, type ViewRow } from '../../../../data/table/view.ts';
import { useUserObject } from '../../../../data/user-object/use-user-object.ts';
import type { MenuItem } from '../../../../ui/menu.tsx';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { Cell, type ColumnLook } from './cells.tsx';
import { type ColumnDraft, ColumnForm } from './column-form.tsx';
import { type ColumnActions, ColumnHeader } from './column-header.tsx';
import { FilterForm } from './filter-form.tsx';
import { FindReplace, type Searched } from './find-replace.tsx';
import { GutterCell } from './gutter-cell.tsx';
import { CellImagePicker } from './image-cell.tsx';
import { RowMenu, type RowMenuItem } from './row-menu.tsx';
import { cleared, Sheet, type SheetColumn, type SheetHandle, type SheetSelection } from './sheet.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { SyncNote } from './sync-note.tsx';
import { TableToolbar } from './table-toolbar.tsx';
import css from './table-view.module.css';
import { useTableHeight } from './use-table-height.ts';
import { useTableRows } from './use-table-rows.ts';

const SHORT_ROW_PX = 36;
const TALL_ROW_PX = 92;
const DEFAULT_WIDTHS: Readonly<Record<string, number>> = { text: 200, number: 96, bool: 84, colour: 120 };
const ROW_NUMBER_PX = 52;
const FROZEN_PX = 150;

/** Where the cursor is: a card and a column. */
export interface TableCursor {
  readonly card: string;
  readonly column: string;
  readonly editing: boolean;
}

export interface TableViewProps {
  readonly table: CardTable;
  readonly state: TableState;
  readonly zones: readonly string[];
  readonly imports: readonly MenuItem[];
  readonly exports: readonly MenuItem[];
  /** A cell to go to; a new object goes there again. */
  readonly target: { readonly card: string; readonly column: string | undefined } | undefined;
  readonly onCursor: (cursor: TableCursor | undefined) => void;
  readonly onOpenCard: (card: string) => void;
  readonly onScroll: (scroller: HTMLElement, rows: readonly ViewRow[], rowHeight: number) => void;
  readonly peers: ReactNode;
}

/** The spreadsheet of a component. */
export function CardTableView(props: TableViewProps) {
  const { table, state, target, onCursor } = props;
  const { component } = state;
  const { userObject } = useUserObject();
  const [view, setWholeView] = useState<TableView>(PLAIN_VIEW);
  const [tall, setTall] = useState(false);
  const [dialog, setDialog] = useState<'find' | 'filters' | 'keys'>();
  const [filtering, setFiltering] = useState<string>();
  const [draft, setDraft] = useState<{ draft: ColumnDraft; at: number; isNew: boolean }>();
  const [menu, setMenu] = useState<{ x: number; y: number; rows: readonly number[] }>();
  const sheet = useRef<SheetHandle>(null);
  const editing = useRef(false);
  const { columns, rows, textOf } = useTableRows(state, view);
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  const height = useTableHeight();
  const rowHeight = tall ? TALL_ROW_PX : SHORT_ROW_PX;
  const setView = useCallback(
    (change: Partial<TableView>) => setWholeView((old) => ({ ...old, ...change })),
    [],
  );

  const run = useCallback((label: string, intents: readonly Intent[]) => table.run(label, intents), [table]);
  const edit = useCallback(
    (label: string, edits: readonly CellEdit[]) => {
      const { intents, faults } = understand(edits, table.snapshot().component);
      for (const fault of faults) toasts.show(fault, { type: 'warning', autoCloseTime: 6_000 });
      return run(label, intents);
    },
    [run, table],
  );
  const replay = (replayed: ReturnType<CardTable['undo']>) => {
    if (replayed && replayed.skipped > 0) {
      toasts.show(
        `${replayed.skipped} ${replayed.skipped === 1 ? 'place was' : 'places were'} left alone: somebody has changed ${replayed.skipped === 1 ? 'it' : 'them'} since.`,
        { autoCloseTime: 5_000 },
      );
    }
  };

  /** Adds cards with these texts below a row, or at the end. */
  const addCards = (texts: readonly Readonly<Record<string, string>>[], below?: number) => {
    const { cards } = table.snapshot();
    const belowId = below === undefined ? undefined : rowsNow.current[below]?.id;
    let index = belowId === undefined ? cards.length - 1 : cards.findIndex(({ id }) => id === belowId);
    if (index < 0) index = cards.length - 1;
    const step = (orderAfter(cards, index) - (cards[index]?.order ?? -1)) / texts.length || 1;
    const faults = new Set<string>();
    const intents = texts.map((one, i): Intent => {
      const made = newCard(one, (cards[index]?.order ?? -1) + step * (i + 1), component);
      for (const fault of made.faults) faults.add(fault);
      return { kind: 'add', card: crypto.randomUUID().replaceAll('-', '').slice(0, 20), value: made.card };
    });
    for (const fault of faults) toasts.show(fault, { type: 'warning', autoCloseTime: 6_000 });
    return intents;
  };
  const addCard = (below?: number) => {
    if (state.readOnly) return;
    const intents = addCards([{}], below);
    run('new card', intents);
    const [first] = intents;
    if (first?.kind === 'add') setGoTo({ card: first.card, column: undefined });
  };
  const cardsAt = (indexes: readonly number[]) =>
    indexes.flatMap((index) => {
      const row = rows[index];
      return row?.kind === 'card' ? [row.card] : [];
    });
  const removeCards = (indexes: readonly number[]) => {
    if (state.readOnly) return;
    const gone = cardsAt(indexes);
    run(
      gone.length === 1 ? 'delete card' : `delete ${gone.length} cards`,
      gone.map(({ id }) => ({ kind: 'remove', card: id })),
    );
    if (gone.length > 0) {
      toasts.show(`${gone.length === 1 ? 'A card was' : `${gone.length} cards were`} deleted.`, {
        autoCloseTime: 6_000,
        actions: [{ buttonText: 'Undo', function: () => replay(table.undo()) }],
      });
    }
  };
  const duplicate = (indexes: readonly number[]) => {
    const last = indexes[indexes.length - 1];
    const copies = cardsAt(indexes);
    const intents = addCards(
      copies.map(() => ({})),
      last,
    ).map((intent, i) => {
      const original = copies[i];
      if (intent.kind !== 'add' || !original) return intent;
      const { id: _, ...value } = original;
      return { ...intent, value: { ...value, order: intent.value.order } };
    });
    run(copies.length === 1 ? 'duplicate card' : 'duplicate cards', intents);
  };
  /** Moves cards by one place; only where the table shows them in their own order. */
  const moveCards = (indexes: readonly number[], by: -1 | 1) => {
    const { cards } = table.snapshot();
    const ids = new Set(cardsAt(indexes).map(({ id }) => id));
    const places = cards.flatMap(({ id }, i) => (ids.has(id) ? [i] : []));
    const edge = by < 0 ? places[0] : places[places.length - 1];
    if (edge === undefined) return;
    const neighbour = cards[edge + by];
    if (!neighbour) return;
    const block = places.map((place) => cards[place]).filter((card) => card !== undefined);
    const ordered = by < 0 ? [...block, neighbour] : [neighbour, ...block];
    const orders = ordered.map(({ order }) => order).sort((a, b) => a - b);
    run(
      'move',
      ordered.map((card, i) => ({ kind: 'field', card: card.id, field: 'order', value: orders[i] ?? i })),
    );
  };

  const setColumns = useCallback(
    (label: string, next: readonly TableColumn[], more: object = {}) =>
      run(label, [{ kind: 'component', patch: { columns: [...next], ...more } }]),
    [run],
  );
  const startColumn = (at: number) =>
    setDraft({
      draft: { column: { key: '', name: '', type: 'text' }, copies: false, id: false },
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
    const marks = {
      ...(copies !== (component.copiesColumn === key) && { copiesColumn: copies ? key : null }),
      ...(id !== (component.idColumn === key) && { idColumn: id ? key : null }),
    };
    setColumns(draft.isNew ? 'new column' : 'edit column', next, marks);
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
      const at = component.columns.findIndex((one) => one.key === key);
      setColumns('move column', moveColumn(component.columns, key, Math.max(0, at + by)));
    },
    drop: (key, onto) => {
      const to = component.columns.findIndex((one) => one.key === onto);
      if (to >= 0 && onto !== key) setColumns('move column', moveColumn(component.columns, key, to));
    },
    hide: (key) => setColumns('hide column', withColumn(component.columns, key, { hidden: true })),
    freeze: (key, frozen) => setColumns('keep in view', withColumn(component.columns, key, { frozen })),
    resize: (key, width) => setColumns('resize column', withColumn(component.columns, key, { width })),
    remove: (key) => {
      const next = component.columns.filter((one) => one.key !== key);
      const name = component.columns.find((one) => one.key === key)?.name ?? '';
      setColumns('delete column', next, {
        ...(component.copiesColumn === key && { copiesColumn: null }),
        ...(component.idColumn === key && { idColumn: null }),
      });
      toasts.show(`The column “${name}” was deleted.`, {
        autoCloseTime: 6_000,
        actions: [{ buttonText: 'Undo', function: () => replay(table.undo()) }],
      });
    },
    sort: (sort) => setView({ sort }),
    group: (groupBy) => setView({ groupBy }),
    filter: (key) => {
      setFiltering(key);
      setDialog('filters');
    },
  };
  const actionsNow = useRef(columnActions);
  actionsNow.current = columnActions;

  const sheetColumns = useMemo<SheetColumn[]>(() => {
    // Headers keep calling the newest actions without the columns being made anew.
    const actions = new Proxy({} as ColumnActions, {
      get: (_, name: keyof ColumnActions) => actionsNow.current[name],
    });
    return columns.map((column) => {
      const width = column.width ?? DEFAULT_WIDTHS[column.type] ?? 180;
      const look: ColumnLook = {
        column,
        short: !tall,
        overlay: userObject.overlayTextCells,
        options:
          column.key === STATUS_KEY || (column.options && column.options.length > 0)
            ? `options-${column.key}`
            : undefined,
      };
      const badge =
        column.key === component.copiesColumn
          ? 'copies'
          : column.key === component.idColumn
            ? 'id'
            : undefined;
      return {
        key: column.key,
        name: column.name,
        width,
        readOnly: state.readOnly || column.type === 'formula',
        Cell,
        data: look,
        header: (
          <ColumnHeader
            column={column}
            width={width}
            own={column.key === STATUS_KEY || column.key === COPIES_KEY}
            badge={badge}
            sort={view.sort}
            grouped={view.groupBy === column.key}
            readOnly={state.readOnly}
            actions={actions}
          />
        ),
      };
    });
  }, [
    columns,
    state.readOnly,
    tall,
    userObject.overlayTextCells,
    component.copiesColumn,
    component.idColumn,
    view.sort,
    view.groupBy,
  ]);
  const openCard = useRef(props.onOpenCard);
  openCard.current = props.onOpenCard;
  const frozen = useMemo(() => columns.filter((column) => column.frozen), [columns]);
  const gutter = useMemo(
    () => ({
      width: ROW_NUMBER_PX + frozen.length * FROZEN_PX,
      header: (
        <span className={css.gutter}>
          <span className={css.number}>#</span>
          {frozen.map((column) => (
            <span key={column.key} className={css.frozen}>
              {column.name}
            </span>
          ))}
        </span>
      ),
      cell: (row: ViewRow) => (
        <GutterCell row={row} frozen={frozen} textOf={textOf} onOpen={(id) => openCard.current(id)} />
      ),
    }),
    [frozen, textOf],
  );

  const [goTo, setGoTo] = useState<TableViewProps['target']>();
  useEffect(() => setGoTo(target), [target]);
  useEffect(() => {
    if (!goTo) return;
    const row = rows.findIndex(({ id }) => id === goTo.card);
    if (row < 0) {
      // What is filtered away must be shown before one can go there.
      if (state.byId.has(goTo.card) && view !== PLAIN_VIEW) setWholeView(PLAIN_VIEW);
      return;
    }
    const column = sheetColumns.findIndex(({ key }) => key === goTo.column);
    sheet.current?.select(row, Math.max(0, column));
    setGoTo(undefined);
  }, [goTo, rows, sheetColumns, state.byId, view]);

  const active = useRef<{ row: number; column: number }>(undefined);
  const tellCursor = () => {
    const at = active.current;
    const row = at && rowsNow.current[at.row];
    const column = at && sheetColumns[at.column];
    onCursor(
      row?.kind === 'card' && column
        ? { card: row.id, column: column.key, editing: editing.current }
        : undefined,
    );
  };

  const indexesOf = (at: SheetSelection | undefined): number[] =>
    at ? Array.from({ length: at.toRow - at.fromRow + 1 }, (_, i) => at.fromRow + i) : [];
  const fillDown = (at: SheetSelection) => {
    const first = rows.slice(at.fromRow).find(({ kind }) => kind === 'card');
    if (!first) return;
    const kept = sheetColumns.slice(at.fromColumn, at.toColumn + 1).filter(({ readOnly }) => !readOnly);
    edit(
      'fill down',
      rows
        .slice(at.fromRow, at.toRow + 1)
        .filter((row) => row.kind === 'card' && row !== first)
        .flatMap((row) => kept.map(({ key }) => ({ id: row.id, key, text: textOf(first, key) }))),
    );
  };
  const onKey = (event: KeyboardEvent, at: SheetSelection | undefined) => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const done = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (command && key === 'z') {
      replay(event.shiftKey ? table.redo() : table.undo());
      done();
    } else if (command && key === 'y') {
      replay(table.redo());
      done();
    } else if (command && (key === 'f' || key === 'h') && at) {
      sheet.current?.leave();
      setDialog('find');
      done();
    } else if (!at || editing.current) {
      return;
    } else if (command && key === 'd') {
      fillDown(at);
      done();
    } else if (command && (key === 'backspace' || key === 'delete')) {
      removeCards(indexesOf(at));
      done();
    } else if (event.altKey && event.shiftKey && (key === 'arrowup' || key === 'arrowdown')) {
      moveCards(indexesOf(at), key === 'arrowup' ? -1 : 1);
      done();
    } else if (event.shiftKey && key === 'enter') {
      addCard(at.toRow);
      done();
    } else if (command && key === 'enter') {
      const row = rows[at.fromRow];
      if (row?.kind === 'card') props.onOpenCard(row.id);
      done();
    } else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      const box = sheet.current?.element()?.querySelector('.dsg-active-cell')?.getBoundingClientRect();
      if (box) setMenu({ x: box.left, y: box.bottom, rows: indexesOf(at) });
      done();
    }
  };
  const searched = (): Searched[] =>
    rows.flatMap((row) =>
      row.kind === 'card'
        ? sheetColumns.map(({ key, readOnly }) => ({ id: row.id, key, text: textOf(row, key), readOnly }))
        : [],
    );
  const leaveSheet = useCallback(() => sheet.current?.leave(), []);
  const plain = !view.sort && view.groupBy === undefined;
  const changesTo = (chosen: readonly number[]): RowMenuItem[] => [
    { label: 'Insert card below', onSelect: () => addCard(chosen[chosen.length - 1]) },
    { label: 'Duplicate', onSelect: () => duplicate(chosen) },
    ...(plain
      ? [
          { label: 'Move up', onSelect: () => moveCards(chosen, -1) },
          { label: 'Move down', onSelect: () => moveCards(chosen, 1) },
        ]
      : []),
    {
      label: 'Clear cells',
      onSelect: () => {
        const at = sheet.current?.selection();
        if (at) edit('clear', cleared({ rows, columns: sheetColumns }, at));
      },
    },
    { label: 'Delete', danger: true, divided: true, onSelect: () => removeCards(chosen) },
  ];

  return (
    <div className={css.table}>
      <TableToolbar
        columns={component.columns}
        view={view}
        undo={state.undo}
        redo={state.redo}
        tall={tall}
        sync={
          <>
            {props.peers}
            <SyncNote table={table} state={state} />
          </>
        }
        readOnly={state.readOnly}
        imports={state.readOnly ? [] : props.imports}
        exports={props.exports}
        actions={{
          undo: () => replay(table.undo()),
          redo: () => replay(table.redo()),
          addCard: () => addCard(),
          addColumn: () => startColumn(component.columns.length),
          showColumn: (key) =>
            setColumns('show column', withColumn(component.columns, key, { hidden: false })),
          filters: () => setDialog('filters'),
          find: () => setDialog('find'),
          keys: () => setDialog('keys'),
          setView,
          setTall,
        }}
      />
      {columns.map(
        ({ key, options }) =>
          (key === STATUS_KEY || (options && options.length > 0)) && (
            <datalist key={key} id={`options-${key}`}>
              {(key === STATUS_KEY ? CARD_STATUSES : (options ?? [])).map((option) => (
                <option key={option} value={option} />
              ))}
            </datalist>
          ),
      )}
      <CellImagePicker onOpen={leaveSheet} />
      <Sheet
        handle={sheet}
        label={`${component.name}, ${state.cards.length} cards`}
        rows={rows}
        columns={sheetColumns}
        textOf={textOf}
        gutter={gutter}
        rowHeight={rowHeight}
        height={height}
        onEdit={edit}
        onPasteBelow={(texts, edits) => {
          const { intents, faults } = understand(edits, component);
          for (const fault of faults) toasts.show(fault, { type: 'warning', autoCloseTime: 6_000 });
          run('paste', [...intents, ...addCards(texts)]);
        }}
        onTooMuch={(cells) =>
          toasts.show(
            `${cells.toLocaleString('en')} cells are more than fit in one go. Import them as a file.`,
            {
              type: 'error',
              autoCloseTime: 8_000,
            },
          )
        }
        onActive={(cell) => {
          active.current = cell;
          tellCursor();
        }}
        onSelection={() => {}}
        onEditing={(now) => {
          editing.current = now;
          tellCursor();
        }}
        onMenu={(at) => setMenu({ ...at, rows: indexesOf(sheet.current?.selection()) })}
        onScroll={(scroller) => props.onScroll(scroller, rowsNow.current, rowHeight)}
        onKey={onKey}
      />
      {rows.length === 0 && (
        <p className={css.none}>
          {state.cards.length === 0
            ? state.readOnly
              ? 'No cards yet.'
              : 'No cards yet. Add one, paste rows from a spreadsheet, or import a file.'
            : 'No card matches the search and filters.'}
        </p>
      )}
      {menu && (!state.readOnly || cardsAt(menu.rows).length === 1) && (
        <RowMenu
          at={menu}
          cards={cardsAt(menu.rows).length}
          onClose={() => setMenu(undefined)}
          items={[
            ...(cardsAt(menu.rows).length === 1
              ? [{ label: 'Open card', onSelect: () => props.onOpenCard(cardsAt(menu.rows)[0]?.id ?? '') }]
              : []),
            ...(state.readOnly ? [] : changesTo(menu.rows)),
          ]}
        />
      )}
      <ColumnForm
        draft={draft?.draft}
        isNew={draft?.isNew ?? false}
        names={
          new Set(
            component.columns
              .filter(({ key }) => key !== draft?.draft.column.key)
              .map(({ name }) => name.toLowerCase()),
          )
        }
        zones={props.zones}
        onClose={() => setDraft(undefined)}
        onSave={saveColumn}
      />
      <FilterForm
        open={dialog === 'filters'}
        columns={columns}
        filters={view.filters}
        first={filtering}
        onClose={() => {
          setDialog(undefined);
          setFiltering(undefined);
        }}
        onSave={(filters) => setView({ filters })}
      />
      <FindReplace
        open={dialog === 'find'}
        cells={searched}
        onClose={() => setDialog(undefined)}
        onShow={({ id, key }) => setGoTo({ card: id, column: key })}
        onReplace={(edits) => edit('replace', edits)}
      />
      <ShortcutSheet open={dialog === 'keys'} onClose={() => setDialog(undefined)} />
    </div>
  );
}
