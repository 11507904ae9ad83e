import {
  ArrowDownAZ,
  ArrowUpZA,
  ChevronDown,
  EyeOff,
  Filter as FilterIcon,
  Group,
  Hash,
  Image,
  Languages,
  List,
  MoveLeft,
  MoveRight,
  Palette,
  PanelLeft,
  Pencil,
  Pipette,
  Plus,
  Sigma,
  SquareCheck,
  Trash2,
  Type,
} from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { ColumnType, TableColumn } from '../../../../../data/documents/documents.ts';
import type { Sort } from '../../../../../data/table/view.ts';
import { Menu, type MenuItem } from '../../../../../ui/menu/menu.tsx';
import css from './column-header.module.css';

/** Narrowest and widest column, and one that was never resized, in CSS pixels. */
export const MIN_COLUMN_PX = 64;
export const MAX_COLUMN_PX = 900;

const ICONS: Readonly<Record<ColumnType, ReactNode>> = {
  text: <Type size={13} />,
  number: <Hash size={13} />,
  bool: <SquareCheck size={13} />,
  image: <Image size={13} />,
  colour: <Pipette size={13} />,
  list: <List size={13} />,
  formula: <Sigma size={13} />,
  style: <Palette size={13} />,
};

/** Display names of the column types. */
export const TYPE_NAMES: Readonly<Record<ColumnType, string>> = {
  text: 'Text',
  number: 'Number',
  bool: 'Yes or no',
  image: 'Image',
  colour: 'Colour',
  list: 'List',
  formula: 'Formula',
  style: 'Style of a zone',
};

export interface ColumnActions {
  edit(key: string): void;
  insert(key: string, side: 'before' | 'after'): void;
  /** `to` counts among all columns. */
  move(key: string, by: -1 | 1): void;
  drop(key: string, onto: string): void;
  translate(key: string, on: boolean): void;
  hide(key: string): void;
  freeze(key: string, on: boolean): void;
  resize(key: string, width: number): void;
  remove(key: string): void;
  sort(sort: Sort | undefined): void;
  group(key: string | undefined): void;
  filter(key: string): void;
}

/** A column's name, its menu, and handles to move and resize it. */
export function ColumnHeader({
  column,
  width,
  own,
  badge,
  sort,
  grouped,
  readOnly,
  actions,
}: {
  column: TableColumn;
  width: number;
  /** A column of the table's own, which cannot be changed. */
  own: boolean;
  badge: string | undefined;
  sort: Sort | undefined;
  grouped: boolean;
  readOnly: boolean;
  actions: ColumnActions;
}) {
  const { key, name } = column;
  const sorted = sort?.key === key ? sort : undefined;
  const looks: MenuItem[] = [
    {
      label: 'Sort A to Z',
      icon: <ArrowDownAZ size={15} />,
      onSelect: () => actions.sort({ key, descending: false }),
    },
    {
      label: 'Sort Z to A',
      icon: <ArrowUpZA size={15} />,
      onSelect: () => actions.sort({ key, descending: true }),
    },
    ...(sorted ? [{ label: 'Do not sort', onSelect: () => actions.sort(undefined) }] : []),
    {
      label: grouped ? 'Do not group' : 'Group by this',
      icon: <Group size={15} />,
      onSelect: () => actions.group(grouped ? undefined : key),
    },
    { label: 'Filter…', icon: <FilterIcon size={15} />, onSelect: () => actions.filter(key) },
  ];
  const changes: MenuItem[] = [
    { label: 'Edit column…', icon: <Pencil size={15} />, divided: true, onSelect: () => actions.edit(key) },
    { label: 'Insert before', icon: <Plus size={15} />, onSelect: () => actions.insert(key, 'before') },
    { label: 'Insert after', icon: <Plus size={15} />, onSelect: () => actions.insert(key, 'after') },
    { label: 'Move left', icon: <MoveLeft size={15} />, onSelect: () => actions.move(key, -1) },
    { label: 'Move right', icon: <MoveRight size={15} />, onSelect: () => actions.move(key, 1) },
    {
      label: column.frozen ? 'Do not keep in view' : 'Keep in view',
      icon: <PanelLeft size={15} />,
      onSelect: () => actions.freeze(key, !column.frozen),
    },
    ...(column.type === 'text' || column.type === 'list'
      ? [translateItem(column, (on) => actions.translate(key, on))]
      : []),
    { label: 'Hide', icon: <EyeOff size={15} />, onSelect: () => actions.hide(key) },
    {
      label: 'Delete column',
      icon: <Trash2 size={15} />,
      danger: true,
      divided: true,
      onSelect: () => actions.remove(key),
    },
  ];
  return (
    <div className={css.header} data-column={key}>
      <span className={css.icon} title={TYPE_NAMES[column.type]} aria-hidden>
        {ICONS[column.type]}
      </span>
      {own || readOnly ? (
        <span className={css.name}>{name}</span>
      ) : (
        <DragName name={name} badge={badge} onDrop={(onto) => actions.drop(key, onto)} />
      )}
      {sorted && (
        <span className={css.sorted} title={sorted.descending ? 'Sorted Z to A' : 'Sorted A to Z'}>
          {sorted.descending ? '↓' : '↑'}
        </span>
      )}
      {/* The grid would take clicks and keys of the menu for its own. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps events from going on */}
      <span
        className={css.menu}
        onMouseDown={(event) => event.stopPropagation()}
        onKeyDown={(event) => event.stopPropagation()}
      >
        <Menu
          label={`Column ${name}`}
          className={css.more}
          width={220}
          items={own || readOnly ? looks : [...looks, ...changes]}
        >
          <ChevronDown size={14} aria-hidden />
        </Menu>
      </span>
      {!own && !readOnly && <ResizeHandle width={width} onResize={(next) => actions.resize(key, next)} />}
    </div>
  );
}

/** Texts that a card shows are translated unless one says otherwise; lists only where one says so. */
function translateItem({ type, translate }: TableColumn, set: (on: boolean) => void): MenuItem {
  const on = translate ?? type === 'text';
  return {
    label: on ? 'Do not translate' : 'Translate',
    icon: <Languages size={15} />,
    onSelect: () => set(!on),
  };
}

/** Far enough to be a drag and not a click, in CSS pixels. */
const DRAG_THRESHOLD_PX = 6;

function DragName({
  name,
  badge,
  onDrop,
}: {
  name: string;
  badge: string | undefined;
  onDrop: (onto: string) => void;
}) {
  const start = useRef<number>(undefined);
  return (
    <span
      className={css.name}
      title={name}
      onPointerDown={(event) => {
        start.current = event.clientX;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerUp={(event) => {
        const from = start.current;
        start.current = undefined;
        if (from === undefined || Math.abs(event.clientX - from) < DRAG_THRESHOLD_PX) return;
        const under = document.elementFromPoint(event.clientX, event.clientY);
        const onto = under?.closest<HTMLElement>('[data-column]')?.dataset.column;
        if (onto !== undefined) onDrop(onto);
      }}
    >
      {name}
      {badge && <em>{badge}</em>}
    </span>
  );
}

function ResizeHandle({ width, onResize }: { width: number; onResize: (width: number) => void }) {
  const from = useRef<{ x: number; width: number }>(undefined);
  const line = useRef<HTMLSpanElement>(null);
  const widthAt = (x: number, start: { x: number; width: number }) =>
    Math.round(Math.min(MAX_COLUMN_PX, Math.max(MIN_COLUMN_PX, start.width + x - start.x)));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the column's form has its width as a number
    <span
      ref={line}
      className={css.resize}
      onMouseDown={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        from.current = { x: event.clientX, width };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!from.current || !line.current) return;
        line.current.style.transform = `translateX(${widthAt(event.clientX, from.current) - from.current.width}px)`;
      }}
      onPointerUp={(event) => {
        const start = from.current;
        from.current = undefined;
        if (line.current) line.current.style.transform = '';
        if (start && event.clientX !== start.x) onResize(widthAt(event.clientX, start));
      }}
    />
  );
}
