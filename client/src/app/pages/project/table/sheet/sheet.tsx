import { bareRecord } from '../../../../../core/records.ts';
import 'react-datasheet-grid/dist/style.css';
import './sheet-theme.css';
import {
  type ComponentType,
  memo,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import {
  type CellComponent,
  type CellProps,
  type Column,
  type DataSheetGridRef,
  DynamicDataSheetGrid,
} from 'react-datasheet-grid';
import {
  MAX_PASTED_CELLS,
  parseClipboardText,
  spread,
  toClipboardHtml,
  toClipboardText,
} from '../../../../../data/table/changes/clipboard.ts';
import type { ViewRow } from '../../../../../data/table/view.ts';
import { frozenColumn, frozenCount, useFrozenMarks, useRoom } from './frozen.ts';

/**
 * The grid of cells, and the only file that knows which library draws it. Rows and columns come in,
 * edits and the selection go out; the clipboard is ours, because spreadsheets and the library
 * disagree about line breaks within cells.
 */

/** Props of a cell's component. */
export interface SheetCellProps {
  readonly row: ViewRow;
  readonly column: SheetColumn;
  readonly text: string;
  /** The cursor is here. */
  readonly active: boolean;
  /** It is being typed into. */
  readonly editing: boolean;
  readonly readOnly: boolean;
  readonly write: (text: string) => void;
  readonly stop: (moveDown: boolean) => void;
}

export interface SheetColumn {
  readonly key: string;
  readonly name: string;
  readonly header: ReactNode;
  /** In CSS pixels. */
  readonly width: number;
  /** Stays in view while others scroll away. Frozen columns come first. */
  readonly frozen: boolean;
  readonly readOnly: boolean;
  readonly Cell: ComponentType<SheetCellProps>;
  /** For the cell's component: changes whenever it must look different. */
  readonly data: unknown;
}

/** A block of cells, ends counted in. */
export interface SheetSelection {
  readonly fromRow: number;
  readonly toRow: number;
  readonly fromColumn: number;
  readonly toColumn: number;
}

export interface SheetEdit {
  /** Id of the row. */
  readonly id: string;
  readonly key: string;
  readonly text: string;
}

export interface SheetHandle {
  select(row: number, column: number): void;
  leave(): void;
  selection(): SheetSelection | undefined;
  paste(text: string): void;
  element(): HTMLElement | null;
}

export interface SheetProps {
  readonly rows: readonly ViewRow[];
  readonly columns: readonly SheetColumn[];
  readonly textOf: (row: ViewRow, key: string) => string;
  /** The same for what is copied, however long it takes to work out. */
  readonly wholeTextOf: (row: ViewRow, key: string) => string;
  readonly gutter: {
    readonly width: number;
    readonly header: ReactNode;
    readonly cell: (row: ViewRow) => ReactNode;
  };
  readonly rowHeight: number;
  readonly height: number;
  readonly label: string;
  readonly onEdit: (label: string, edits: readonly SheetEdit[]) => void;
  /** Cells pasted below the last row. */
  readonly onPasteBelow: (
    rows: readonly Readonly<Record<string, string>>[],
    edits: readonly SheetEdit[],
  ) => void;
  readonly onTooMuch: (cells: number) => void;
  readonly onActive: (cell: { row: number; column: number } | undefined) => void;
  readonly onSelection: (selection: SheetSelection | undefined) => void;
  readonly onEditing: (editing: boolean) => void;
  readonly onMenu: (at: { x: number; y: number }) => void;
  readonly onScroll: (scroller: HTMLElement) => void;
  readonly onKey: (event: KeyboardEvent, selection: SheetSelection | undefined) => void;
  readonly handle: Ref<SheetHandle>;
}

interface CellData {
  readonly column: SheetColumn;
  readonly textOf: SheetProps['textOf'];
  readonly write: (id: string, key: string, text: string) => void;
}

const HEADER_HEIGHT_PX = 40;

/** True if keys and the clipboard belong to a field that the user types into. */
function inField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], dialog') !== null
  );
}

const GridCell = memo(function GridCell({
  rowData,
  active,
  focus,
  disabled,
  columnData,
  stopEditing,
}: CellProps<ViewRow, CellData>) {
  const { column, textOf, write } = columnData;
  return (
    <column.Cell
      row={rowData}
      column={column}
      text={textOf(rowData, column.key)}
      active={active}
      editing={focus}
      readOnly={disabled}
      write={(text) => write(rowData.id, column.key, text)}
      stop={(moveDown) => stopEditing({ nextRow: moveDown })}
    />
  );
}, sameCell);

function sameCell(a: CellProps<ViewRow, CellData>, b: CellProps<ViewRow, CellData>): boolean {
  return (
    a.rowData === b.rowData &&
    a.rowIndex === b.rowIndex &&
    a.active === b.active &&
    a.focus === b.focus &&
    a.disabled === b.disabled &&
    a.columnData === b.columnData &&
    a.stopEditing === b.stopEditing
  );
}

const withText = (row: ViewRow, key: string, text: string): ViewRow => ({
  ...row,
  edited: { ...row.edited, [key]: text },
});

/** Edits among the rows that the grid library returns after a fill or a deletion. */
function editsIn(rows: readonly ViewRow[], from: number, to: number): SheetEdit[] {
  return rows
    .slice(from, to)
    .flatMap(({ id, edited }) => Object.entries(edited ?? {}).map(([key, text]) => ({ id, key, text })));
}

export function Sheet(props: SheetProps) {
  const { rows, columns, textOf, wholeTextOf, gutter, rowHeight, height, handle } = props;
  const grid = useRef<DataSheetGridRef>(null);
  const box = useRef<HTMLElement>(null);
  // Listeners are set up once; what they use changes with every render.
  const latest = useRef(props);
  latest.current = props;

  const own = useMemo<SheetHandle>(() => {
    const selection = () => selectionOf(grid.current);
    return {
      select: (row, column) => grid.current?.setActiveCell({ row, col: column }),
      leave: () => grid.current?.setActiveCell(null),
      selection,
      paste: (text) => {
        const at = selection();
        if (at) pasteAt(latest.current, at, text, grid.current);
      },
      element: () => box.current,
    };
  }, []);
  useImperativeHandle(handle, () => own, [own]);
  useSheetListeners(box, latest, own, grid);
  const room = useRoom(box);
  const frozen = frozenCount(columns, gutter.width, room);
  const marks = useFrozenMarks(box, frozen);

  const library = useMemo<Partial<Column<ViewRow, CellData, string>>[]>(
    () =>
      columns.map((column, index) => ({
        ...(index < frozen && frozenColumn(index === frozen - 1)),
        id: column.key,
        title: column.header,
        basis: column.width,
        minWidth: 48,
        grow: 0,
        shrink: 0,
        component: GridCell as unknown as CellComponent<ViewRow, CellData>,
        columnData: {
          column,
          textOf,
          write: (id, key, text) => latest.current.onEdit('edit', [{ id, key, text }]),
        },
        disabled: column.readOnly || (({ rowData }) => rowData?.kind !== 'card'),
        deleteValue: ({ rowData }) => withText(rowData, column.key, ''),
        copyValue: ({ rowData }) => wholeTextOf(rowData, column.key),
        pasteValue: ({ rowData, value }) => withText(rowData, column.key, value ?? ''),
        isCellEmpty: ({ rowData }) => textOf(rowData, column.key) === '',
      })),
    [columns, textOf, wholeTextOf, frozen],
  );
  const gutterColumn = useMemo(
    () => ({
      basis: gutter.width,
      title: gutter.header,
      component: ({ rowData }: { rowData: ViewRow }) => <>{gutter.cell(rowData)}</>,
    }),
    [gutter],
  );

  return (
    <section
      ref={box}
      className="sheet"
      aria-label={props.label}
      onContextMenu={(event) => {
        if (inField(event.target)) return;
        event.preventDefault();
        props.onMenu({ x: event.clientX, y: event.clientY });
      }}
    >
      <DynamicDataSheetGrid<ViewRow>
        ref={grid}
        value={rows as ViewRow[]}
        onChange={(next, operations) => {
          for (const { type, fromRowIndex, toRowIndex } of operations) {
            if (type === 'UPDATE') props.onEdit('fill', editsIn(next, fromRowIndex, toRowIndex));
          }
        }}
        columns={library}
        gutterColumn={gutterColumn}
        rowKey="id"
        rowHeight={rowHeight}
        headerRowHeight={HEADER_HEIGHT_PX}
        height={height}
        lockRows
        disableSmartDelete
        disableContextMenu
        rowClassName={rowClass}
        onActiveCellChange={({ cell }) => {
          marks.active(cell?.col);
          props.onActive(cell ? { row: cell.row, column: cell.col } : undefined);
        }}
        onSelectionChange={({ selection }) => {
          marks.selection(selection?.max.col);
          props.onSelection(
            selection
              ? {
                  fromRow: selection.min.row,
                  toRow: selection.max.row,
                  fromColumn: selection.min.col,
                  toColumn: selection.max.col,
                }
              : undefined,
          );
        }}
        onFocus={() => props.onEditing(true)}
        onBlur={() => props.onEditing(false)}
        onScroll={(event) => {
          marks.scrolled(event.currentTarget);
          props.onScroll(event.currentTarget);
        }}
      />
    </section>
  );
}

const rowClass = ({ rowData }: { rowData: ViewRow }) =>
  rowData?.kind === 'card' ? undefined : `sheet-${rowData?.kind}`;

function selectionOf(grid: DataSheetGridRef | null): SheetSelection | undefined {
  const selection = grid?.selection;
  return selection
    ? {
        fromRow: selection.min.row,
        toRow: selection.max.row,
        fromColumn: selection.min.col,
        toColumn: selection.max.col,
      }
    : undefined;
}

function copied({ rows, columns, wholeTextOf }: SheetProps, at: SheetSelection): string[][] {
  return rows
    .slice(at.fromRow, at.toRow + 1)
    .filter(({ kind }) => kind === 'card')
    .map((row) => columns.slice(at.fromColumn, at.toColumn + 1).map(({ key }) => wholeTextOf(row, key)));
}

function pasteAt(props: SheetProps, at: SheetSelection, text: string, grid: DataSheetGridRef | null): void {
  const { rows, columns } = props;
  const block = spread(parseClipboardText(text), at.toRow - at.fromRow + 1, at.toColumn - at.fromColumn + 1);
  const cells = block.length * (block[0]?.length ?? 0);
  if (cells > MAX_PASTED_CELLS) {
    props.onTooMuch(cells);
    return;
  }
  const edits: SheetEdit[] = [];
  const below: Record<string, string>[] = [];
  let row = at.fromRow;
  for (const line of block) {
    // Headings and sums are passed over: the next card takes the line.
    while (row < rows.length && rows[row]?.kind !== 'card') row++;
    const record = bareRecord<string>([]);
    line.forEach((cell, i) => {
      const column = columns[at.fromColumn + i];
      if (!column || column.readOnly) return;
      const id = rows[row]?.id;
      if (id !== undefined) edits.push({ id, key: column.key, text: cell });
      else record[column.key] = cell;
    });
    if (row >= rows.length) below.push(record);
    row++;
  }
  if (below.length > 0) props.onPasteBelow(below, edits);
  else props.onEdit('paste', edits);
  const last = Math.min(columns.length, at.fromColumn + (block[0]?.length ?? 1)) - 1;
  grid?.setSelection({
    min: { row: at.fromRow, col: at.fromColumn },
    max: { row: Math.min(rows.length - 1, at.fromRow + block.length - 1), col: last },
  });
}

/** Keys and the clipboard, before the library sees them. */
function useSheetListeners(
  box: React.RefObject<HTMLElement | null>,
  latest: React.RefObject<SheetProps>,
  own: SheetHandle,
  grid: React.RefObject<DataSheetGridRef | null>,
): void {
  useEffect(() => {
    const away = (event: Event) => {
      const target = event.target as Node | null;
      if (target && box.current && !box.current.contains(target) && grid.current?.activeCell) own.leave();
    };
    const clipboard = (event: ClipboardEvent) => {
      const at = own.selection();
      if (!at || inField(event.target) || inField(document.activeElement)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const props = latest.current;
      if (event.type === 'paste') {
        pasteAt(props, at, event.clipboardData?.getData('text/plain') ?? '', grid.current);
        return;
      }
      const rows = copied(props, at);
      event.clipboardData?.setData('text/plain', toClipboardText(rows));
      event.clipboardData?.setData('text/html', toClipboardHtml(rows));
      if (event.type === 'cut') props.onEdit('cut', cleared(props, at));
    };
    const key = (event: KeyboardEvent) => {
      if (inField(event.target)) return;
      latest.current.onKey(event, own.selection());
    };
    document.addEventListener('focusin', away);
    document.addEventListener('keydown', key, true);
    for (const type of ['copy', 'cut', 'paste'] as const) document.addEventListener(type, clipboard, true);
    return () => {
      document.removeEventListener('focusin', away);
      document.removeEventListener('keydown', key, true);
      for (const type of ['copy', 'cut', 'paste'] as const)
        document.removeEventListener(type, clipboard, true);
    };
  }, [box, latest, own, grid]);
}

/** Empties for every cell of a selection that may be written. */
export function cleared(
  { rows, columns }: Pick<SheetProps, 'rows' | 'columns'>,
  at: SheetSelection,
): SheetEdit[] {
  return rows.slice(at.fromRow, at.toRow + 1).flatMap((row) =>
    row.kind === 'card'
      ? columns
          .slice(at.fromColumn, at.toColumn + 1)
          .filter(({ readOnly }) => !readOnly)
          .map(({ key }) => ({ id: row.id, key, text: '' }))
      : [],
  );
}
