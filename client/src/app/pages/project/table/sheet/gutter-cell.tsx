import type { ViewRow } from '../../../../../data/table/view.ts';
import css from '../table-view.module.css';

/** Cell at a row's left: the card's number, or the name of the summary row. */
export function GutterCell({ row, onOpen }: { row: ViewRow; onOpen: (card: string) => void }) {
  if (row.kind !== 'card') {
    return (
      <span className={css.group}>
        {row.label || 'None'} <em>{row.cards}</em>
      </span>
    );
  }
  return (
    <button
      type="button"
      className={css.number}
      tabIndex={-1}
      aria-label={`Open card ${row.number}`}
      onDoubleClick={() => onOpen(row.id)}
      title="Double-click opens the card"
    >
      {row.number}
    </button>
  );
}
