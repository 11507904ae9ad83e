import { useContext, useMemo, useRef, useSyncExternalStore } from 'react';
import type { TableColumn } from '../../../../../data/documents/documents.ts';
import { COPIES_KEY, STATUS_KEY } from '../../../../../data/table/changes/edits.ts';
import type { TableState } from '../../../../../data/table/sync/table-state.ts';
import type { TableView, ViewRow } from '../../../../../data/table/view.ts';
import { useUserObject } from '../../../../../data/user-object/use-user-object.ts';
import { OwnLanguageContext } from '../../../../painting/own-language.ts';
import { type ColumnActions, ColumnHeader } from '../columns/column-header.tsx';
import { type CardResults, isResult, ResultCell } from '../columns/result-columns.tsx';
import { PeersContext } from '../peers/peers-context.ts';
import css from '../table-view.module.css';
import { isWords, type TableWords } from '../words/table-words.ts';
import { WordsCell } from '../words/words-cell.tsx';
import { Cell, type ColumnLook } from './cells.tsx';
import { GutterCell } from './gutter-cell.tsx';
import type { SheetColumn } from './sheet.tsx';

const DEFAULT_WIDTHS: Readonly<Record<string, number>> = { text: 200, number: 96, bool: 84, colour: 120 };
const ROW_NUMBER_PX = 52;

/** Columns and the gutter as the sheet draws them: made anew only when they must look different. */
export function useSheetColumns({
  state,
  columns,
  view,
  tall,
  columnActions,
  onOpenCard,
  results,
  words,
}: {
  state: TableState;
  columns: readonly TableColumn[];
  view: TableView;
  /** Rows show several lines. */
  tall: boolean;
  columnActions: ColumnActions;
  onOpenCard: (card: string) => void;
  results: CardResults | undefined;
  words: TableWords | undefined;
}) {
  const { component } = state;
  const { userObject } = useUserObject();
  const language = useContext(OwnLanguageContext);
  const peers = useContext(PeersContext);
  // Cells listen for other people's cursors only while somebody else is there.
  const shared = useSyncExternalStore(peers.subscribe, peers.any);
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
        shared,
        language: isWords(column.key) ? words?.language : language || undefined,
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
        frozen: column.frozen === true,
        readOnly: isWords(column.key)
          ? !words?.mayWrite
          : state.readOnly || column.type === 'formula' || isResult(column.key),
        ...(results && isResult(column.key)
          ? { Cell: ResultCell, data: { results } }
          : words && isWords(column.key)
            ? { Cell: WordsCell, data: { ...look, words } }
            : { Cell, data: look }),
        header: (
          <ColumnHeader
            column={column}
            width={width}
            own={[STATUS_KEY, COPIES_KEY].includes(column.key) || isResult(column.key) || isWords(column.key)}
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
    shared,
    component.copiesColumn,
    component.idColumn,
    view.sort,
    view.groupBy,
    results,
    words,
    language,
  ]);
  const openCard = useRef(onOpenCard);
  openCard.current = onOpenCard;
  const gutter = useMemo(
    () => ({
      width: ROW_NUMBER_PX,
      header: <span className={css.number}>#</span>,
      cell: (row: ViewRow) => <GutterCell row={row} onOpen={(id) => openCard.current(id)} />,
    }),
    [],
  );
  return { sheetColumns, gutter };
}
