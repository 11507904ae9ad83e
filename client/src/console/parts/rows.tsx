import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef } from 'react';
import { Loading, Placeholder } from '../../ui/page/page.tsx';
import css from './rows.module.css';

/** Least width of a column that shares what is left, in CSS pixels. */
const LEAST_COLUMN_PX = 96;
/** Most rows drawn at once. */
const MOST = 500;

/** A column of a table. */
export interface Column<T> {
  readonly name: string;
  /** In CSS pixels; the rest is shared. */
  readonly width?: number;
  readonly align?: 'right';
  readonly code?: boolean;
  readonly cell: (row: T) => ReactNode;
}

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  PageDown: (at, count) => Math.min(at + 15, count - 1),
  PageUp: (at) => Math.max(at - 15, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A table whose rows are chosen with the pointer or the arrow keys; the chosen one is shown elsewhere. */
export function Rows<T>({
  label,
  columns,
  rows,
  keyOf,
  chosen,
  onChoose,
  onDelete,
  changed,
  tone,
}: {
  label: string;
  columns: readonly Column<T>[];
  /** Undefined while they are not known. */
  rows: readonly T[] | undefined;
  keyOf: (row: T) => string;
  chosen: string | undefined;
  onChoose: (row: T) => void;
  onDelete?: (row: T) => void;
  /** Keys of rows that changed a moment ago. */
  changed?: ReadonlySet<string>;
  tone?: (row: T) => 'bad' | 'warn' | undefined;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  if (!rows) return <Waiting />;
  const least = columns.reduce((sum, { width = LEAST_COLUMN_PX }) => sum + width, 0);
  const shown = rows.slice(0, MOST);
  const found = shown.findIndex((row) => keyOf(row) === chosen);
  const at = Math.max(found, 0);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = shown[at];
    if (event.key === 'Delete' && onDelete && row && found >= 0) {
      event.preventDefault();
      onDelete(row);
      return;
    }
    const to = event.key === 'Enter' ? at : STEPS[event.key]?.(found < 0 ? -1 : at, shown.length);
    const next = to === undefined ? undefined : shown[Math.max(to, 0)];
    if (to === undefined || !next) return;
    event.preventDefault();
    onChoose(next);
    const line = body.current?.rows[Math.max(to, 0)];
    line?.focus();
    line?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <table
        className={css.table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid may be a table
        role="grid"
        aria-label={label}
        onKeyDown={onKeyDown}
        style={{ '--least-width': `${least}px` } as CSSProperties}
      >
        <thead>
          <tr>
            {columns.map(({ name, width, align }) => (
              <th key={name} scope="col" style={{ width, textAlign: align }}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {shown.map((row, i) => {
            const key = keyOf(row);
            return (
              <tr
                key={key}
                tabIndex={i === at ? 0 : -1}
                aria-selected={key === chosen}
                data-changed={changed?.has(key) || undefined}
                data-tone={tone?.(row)}
                onClick={() => onChoose(row)}
              >
                {columns.map(({ name, align, code, cell }) => (
                  <td key={name} style={{ textAlign: align }} data-code={code || undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > MOST && (
        <p className={css.more}>
          The first {MOST} of {rows.length}; narrow them down to see others.
        </p>
      )}
    </>
  );
}

/** Grey lines where rows will be. */
export function Waiting() {
  return (
    <div className={css.waiting}>
      <Loading />
      {[72, 58, 66, 40, 61].map((width) => (
        <Placeholder key={width} width={`${width}%`} height={14} />
      ))}
    </div>
  );
}
