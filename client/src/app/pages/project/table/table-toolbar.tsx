import { TextInput } from '@mantine/core';
import {
  ArrowUpDown,
  Columns3,
  Dices,
  Download,
  Ellipsis,
  FileDown,
  Filter as FilterIcon,
  GalleryHorizontal,
  Group,
  Keyboard,
  Plus,
  Redo2,
  Rows2,
  Rows3,
  Search,
  TextCursorInput,
  TextSearch,
  Undo2,
  Waves,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { isolated } from '../../../../core/text/names.ts';
import type { TableColumn } from '../../../../data/documents/documents.ts';
import type { TableView } from '../../../../data/table/view.ts';
import { useUserObject } from '../../../../data/user-object/use-user-object.ts';
import { withKeys } from '../../../../ui/commands/keys.ts';
import { Menu, type MenuItem } from '../../../../ui/menu/menu.tsx';
import { Tooltip } from '../../../../ui/tooltip.tsx';
import { FIND, REDO, SHORTCUTS, UNDO } from './commands.ts';
import css from './table-toolbar.module.css';

function Tool({
  label,
  disabled,
  pressed,
  onClick,
  children,
}: {
  label: string;
  disabled?: boolean;
  pressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <button
        type="button"
        className={css.tool}
        aria-label={label}
        aria-disabled={disabled || undefined}
        {...(pressed !== undefined && { 'aria-pressed': pressed })}
        onClick={() => {
          if (!disabled) onClick();
        }}
      >
        {children}
      </button>
    </Tooltip>
  );
}

export interface ToolbarActions {
  undo(): void;
  redo(): void;
  addCard(): void;
  addColumn(): void;
  showColumn(key: string): void;
  filters(): void;
  find(): void;
  keys(): void;
  setView(change: Partial<TableView>): void;
  setTall(tall: boolean): void;
}

/** Actions on the table as a whole. */
export function TableToolbar({
  columns,
  view,
  undo,
  redo,
  tall,
  sync,
  imports,
  exports,
  readOnly,
  mayReplace,
  actions,
  results,
  languages,
}: {
  columns: readonly TableColumn[];
  view: TableView;
  undo: string | undefined;
  redo: string | undefined;
  tall: boolean;
  sync: ReactNode;
  imports: readonly MenuItem[];
  exports: readonly MenuItem[];
  readOnly: boolean;
  /** True if the user may change some of the cells shown. */
  mayReplace: boolean;
  actions: ToolbarActions;
  /** Columns with the results of playtests. */
  results: { readonly shown: boolean; readonly show: (shown: boolean) => void };
  /** The choice of the language, where there are several. */
  languages: ReactNode;
}) {
  const settings = useTableSettings();
  const hidden = columns.filter((column) => column.hidden);
  const nameOf = (key: string) => columns.find((column) => column.key === key)?.name ?? key.replace('#', '');
  return (
    <div className={css.bar} role="toolbar" aria-label="Table">
      {/* Translators take back translations where they may change nothing else. */}
      {(!readOnly || undo !== undefined) && (
        <Tool
          label={undo ? withKeys(`Undo ${undo}`, UNDO) : 'Nothing to undo'}
          disabled={!undo}
          onClick={actions.undo}
        >
          <Undo2 size={17} aria-hidden />
        </Tool>
      )}
      {!readOnly && (
        <>
          <Tool
            label={redo ? withKeys(`Redo ${redo}`, REDO) : 'Nothing to redo'}
            disabled={!redo}
            onClick={actions.redo}
          >
            <Redo2 size={17} aria-hidden />
          </Tool>
          <i className={css.line} />
          <button type="button" className={css.wide} onClick={actions.addCard}>
            <Plus size={16} aria-hidden /> Card
          </button>
          <Menu
            className={css.wide}
            width={240}
            items={[
              { label: 'New column…', icon: <Plus size={15} />, onSelect: actions.addColumn },
              ...hidden.map((column, i) => ({
                label: `Show ${isolated(column.name)}`,
                divided: i === 0,
                onSelect: () => actions.showColumn(column.key),
              })),
              {
                label: results.shown ? 'Hide results of playtests' : 'Show results of playtests',
                icon: <Dices size={15} />,
                divided: true,
                onSelect: () => results.show(!results.shown),
              },
            ]}
          >
            <Columns3 size={16} aria-hidden /> Columns
            {hidden.length > 0 && <b className={css.count}>{hidden.length} hidden</b>}
          </Menu>
          <i className={css.line} />
        </>
      )}
      <TextInput
        className={css.search ?? ''}
        size="xs"
        aria-label="Search the table"
        placeholder="Search"
        leftSection={<Search size={14} aria-hidden />}
        value={view.search}
        onChange={(event) => actions.setView({ search: event.currentTarget.value })}
      />
      <Tool label="Filter" pressed={view.filters.length > 0} onClick={actions.filters}>
        <FilterIcon size={16} aria-hidden />
        {view.filters.length > 0 && <b>{view.filters.length}</b>}
      </Tool>
      <Tool label={withKeys(mayReplace ? FIND.label : 'Find', FIND)} onClick={actions.find}>
        <TextSearch size={17} aria-hidden />
      </Tool>
      <Tool label={tall ? 'Short rows' : 'Tall rows'} pressed={tall} onClick={() => actions.setTall(!tall)}>
        {tall ? <Rows2 size={16} aria-hidden /> : <Rows3 size={16} aria-hidden />}
      </Tool>
      {languages}
      {view.sort && (
        <Chip
          icon={<ArrowUpDown size={13} />}
          label={`Sorted by ${nameOf(view.sort.key)}`}
          onClear={() => actions.setView({ sort: undefined })}
        />
      )}
      {view.groupBy !== undefined && (
        <Chip
          icon={<Group size={13} />}
          label={`Grouped by ${nameOf(view.groupBy)}`}
          onClear={() => actions.setView({ groupBy: undefined })}
        />
      )}
      <span className={css.end}>
        {sync}
        {imports.length > 0 && (
          <Menu className={css.wide} width={270} items={imports}>
            <FileDown size={16} aria-hidden /> Import
          </Menu>
        )}
        {exports.length > 0 && (
          <Menu className={css.wide} width={270} items={exports}>
            <Download size={16} aria-hidden /> Download
          </Menu>
        )}
        <Menu
          label="More for the table"
          className={css.tool}
          width={270}
          items={[
            { label: SHORTCUTS.label, icon: <Keyboard size={15} />, onSelect: actions.keys },
            ...settings,
          ]}
        >
          <Ellipsis size={17} aria-hidden />
        </Menu>
      </span>
    </div>
  );
}

/** The user's settings for all tables. */
function useTableSettings(): MenuItem[] {
  const { userObject, save } = useUserObject();
  const { useTableScroll, smoothTableScroll, overlayTextCells } = userObject;
  return [
    {
      label: useTableScroll ? 'Do not scroll the cards along' : 'Scroll the cards along',
      icon: <GalleryHorizontal size={15} />,
      divided: true,
      onSelect: () => void save({ useTableScroll: !useTableScroll }),
    },
    {
      label: smoothTableScroll ? 'Jump from card to card' : 'Glide from card to card',
      icon: <Waves size={15} />,
      onSelect: () =>
        void save({
          smoothTableScroll: !smoothTableScroll,
          cardScrollBehavior: smoothTableScroll ? 'auto' : 'smooth',
        }),
    },
    {
      label: overlayTextCells ? 'Keep long texts in their cells' : 'Open long texts over other cells',
      icon: <TextCursorInput size={15} />,
      onSelect: () => void save({ overlayTextCells: !overlayTextCells }),
    },
  ];
}

function Chip({ icon, label, onClear }: { icon: ReactNode; label: string; onClear: () => void }) {
  return (
    <span className={css.chip}>
      {icon}
      {label}
      <button type="button" aria-label={`${label}: stop`} onClick={onClear}>
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}
