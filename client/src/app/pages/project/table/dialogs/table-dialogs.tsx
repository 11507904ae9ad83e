import type { TableColumn } from '../../../../../data/documents/documents.ts';
import type { CellEdit } from '../../../../../data/table/changes/edits.ts';
import type { TableView } from '../../../../../data/table/view.ts';
import { ColumnForm } from '../columns/column-form.tsx';
import type { useColumnActions } from '../columns/use-column-actions.ts';
import type { TableTarget } from '../use-table-cursor.ts';
import { FilterForm } from './filter-form.tsx';
import { FindReplace, type Searched } from './find-replace.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';

export type TableDialog =
  | { readonly name: 'find' | 'keys' }
  /** Column of a first filter, when one is asked for. */
  | { readonly name: 'filters'; readonly first?: string | undefined };

/** Dialogs of the table; one of them, or none, is open. */
export function TableDialogs({
  open,
  onClose,
  all,
  shown,
  cells,
  mayReplace,
  filters,
  zones,
  column,
  onFilters,
  onShow,
  onReplace,
}: {
  open: TableDialog | undefined;
  onClose: () => void;
  /** Every column of the component, and those shown. */
  all: readonly TableColumn[];
  shown: readonly TableColumn[];
  /** Cells to look through. */
  cells: () => Promise<readonly Searched[]>;
  /** True if the user may change some of them. */
  mayReplace: boolean;
  filters: TableView['filters'];
  zones: readonly string[];
  column: Pick<ReturnType<typeof useColumnActions>, 'draft' | 'closeDraft' | 'saveColumn'>;
  onFilters: (filters: TableView['filters']) => void;
  onShow: (at: TableTarget) => void;
  onReplace: (edits: readonly CellEdit[]) => void;
}) {
  const { draft, closeDraft, saveColumn } = column;
  const others = all.filter(({ key }) => key !== draft?.draft.column.key);
  return (
    <>
      <ColumnForm
        draft={draft?.draft}
        isNew={draft?.isNew ?? false}
        others={others}
        zones={zones}
        onClose={closeDraft}
        onSave={saveColumn}
      />
      <FilterForm
        open={open?.name === 'filters'}
        columns={shown}
        filters={filters}
        first={open?.name === 'filters' ? open.first : undefined}
        onClose={onClose}
        onSave={onFilters}
      />
      <FindReplace
        open={open?.name === 'find'}
        cells={cells}
        mayReplace={mayReplace}
        onClose={onClose}
        onShow={({ id, key }) => onShow({ card: id, column: key })}
        onReplace={onReplace}
      />
      <ShortcutSheet open={open?.name === 'keys'} onClose={onClose} />
    </>
  );
}
