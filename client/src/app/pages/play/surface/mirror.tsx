import { memo, useEffect, useMemo, useRef, useState } from 'react';
import type { Handle, Shown } from '../../../../core/play/protocol/messages.ts';
import { contentsOf } from '../../../../core/play/view/contents.ts';
import { pieceName, pieceState } from '../../../../core/play/view/names.ts';
import { spacesUnder } from '../../../../core/play/view/table-spaces.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import { Unseen } from '../../../../ui/page/page.tsx';
import css from '../play.module.css';

/** A line of the tree of pieces. */
export interface MirrorRow {
  readonly id: string;
  readonly level: number;
  readonly name: string;
  readonly state: string;
  /** Missing for headings. */
  readonly handle?: Handle;
  /** It has lines below it. */
  readonly parent: boolean;
}

const ownerOf = ({ container }: Shown): number => container?.owner ?? 0;

/** All lines of the tree: places with what is seen in them, closed ones without. */
export function rowsOf(view: TableView, closed: ReadonlySet<string>): readonly MirrorRow[] {
  const contents = contentsOf(view.pieces);
  const rows: MirrorRow[] = [];
  const spaceOf = spacesUnder(view);
  const placeOf = (handle: Handle) => {
    const name = spaceOf(handle)?.name;
    return name ? `in ${name}` : '';
  };
  const add = (handle: Handle, level: number) => {
    const inside = contents.get(handle) ?? [];
    const id = handle;
    rows.push({
      id,
      level,
      handle,
      name: pieceName(view, handle),
      state: [pieceState(view, handle), placeOf(handle)].filter(Boolean).join(', '),
      parent: inside.length > 0,
    });
    if (closed.has(id)) return;
    // The top of a pile comes first; what lies side by side comes in its order.
    const isPile = view.pieces.get(handle)?.container?.kind === 'stack';
    for (const inner of isPile ? [...inside].reverse() : inside) add(inner, level + 1);
  };
  const of = (wanted: (kind: string | undefined) => boolean) =>
    [...view.pieces]
      .filter(([, { holder, container }]) => holder === undefined && wanted(container?.kind))
      .sort(([, a], [, b]) => a.y - b.y || a.x - b.x || ownerOf(a) - ownerOf(b))
      .map(([handle]) => handle);
  const section = (id: string, name: string, handles: readonly Handle[]) => {
    rows.push({ id, level: 1, name, state: handles.length === 0 ? 'empty' : '', parent: handles.length > 0 });
    if (!closed.has(id)) for (const handle of handles) add(handle, 2);
  };
  section(
    'table',
    'On the table',
    of((kind) => kind !== 'hand'),
  );
  section(
    'hands',
    'Hands',
    of((kind) => kind === 'hand'),
  );
  return rows;
}

/** The line that a key goes to, the branch that it opens or closes, or the menu; undefined for other keys. */
function pressed(
  key: string,
  rows: readonly MirrorRow[],
  at: number,
  closed: ReadonlySet<string>,
): { readonly to?: number; readonly toggle?: string; readonly menu?: true } | undefined {
  const row = rows[at];
  const open = row?.parent === true && !closed.has(row.id);
  switch (key) {
    case 'ArrowDown':
      return { to: at + 1 };
    case 'ArrowUp':
      return { to: at - 1 };
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: rows.length - 1 };
    case 'ArrowRight':
      if (open) return { to: at + 1 };
      return row?.parent ? { toggle: row.id } : {};
    case 'ArrowLeft':
      if (open && row) return { toggle: row.id };
      return { to: rows.slice(0, at).findLastIndex(({ level }) => level < (row?.level ?? 1)) };
    case 'Enter':
      return { menu: true };
    default:
      return undefined;
  }
}

/**
 * Every piece that is seen, as a tree: the way through the table for keyboards and screen readers. Others' pointers do
 * not render it again.
 */
export const Mirror = memo(function Mirror({
  view,
  selected,
  onSelect,
  onMenu,
}: {
  view: TableView;
  selected: readonly Handle[];
  onSelect: (handles: readonly Handle[]) => void;
  onMenu: (x: number, y: number) => void;
}) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState('table');
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(view, closed), [view, closed]);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === focused),
  );
  const current = rows[at];
  useEffect(() => {
    const [only] = selected;
    if (only === undefined) return;
    setFocused(only);
    tree.current?.querySelector(`[data-row="${only}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const toggle = (id: string, close: boolean) =>
    setClosed((known) => {
      const next = new Set(known);
      if (close) next.add(id);
      else next.delete(id);
      return next;
    });
  const go = (row: MirrorRow | undefined) => {
    if (!row) return;
    setFocused(row.id);
    tree.current?.querySelector<HTMLElement>(`[data-row="${row.id}"]`)?.focus();
    onSelect(row.handle === undefined ? [] : [row.handle]);
  };
  const press = (key: string): boolean => {
    const next = pressed(key, rows, at, closed);
    if (!next) return false;
    if (next.toggle) toggle(next.toggle, !closed.has(next.toggle));
    if (next.to !== undefined) go(rows[next.to]);
    const box = tree.current?.querySelector(`[data-row="${current?.id}"]`)?.getBoundingClientRect();
    if (next.menu && current?.handle !== undefined && box) onMenu(box.left + 24, box.bottom);
    return true;
  };
  return (
    <div
      ref={tree}
      role="tree"
      aria-label="Pieces"
      className={css.mirror}
      onKeyDown={(event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !press(event.key)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {rows.map((row, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
        <div
          key={row.id}
          role="treeitem"
          data-row={row.id}
          aria-level={row.level}
          aria-selected={row.handle !== undefined && selected.includes(row.handle)}
          {...(row.parent && { 'aria-expanded': !closed.has(row.id) })}
          tabIndex={index === at ? 0 : -1}
          className={css.row}
          style={{ paddingLeft: 10 + (row.level - 1) * 14 }}
          onClick={() => {
            if (row.handle === undefined) toggle(row.id, !closed.has(row.id));
            go(row);
          }}
          onContextMenu={(event) => {
            event.preventDefault();
            go(row);
            if (row.handle !== undefined) onMenu(event.clientX, event.clientY);
          }}
        >
          <span className={css.twist} aria-hidden>
            {row.parent && (closed.has(row.id) ? '▸' : '▾')}
          </span>
          <span className={css.rowName}>
            {row.name}
            {row.state && <Unseen>, </Unseen>}
          </span>
          {row.state && <span className={css.rowState}>{row.state}</span>}
        </div>
      ))}
    </div>
  );
});
