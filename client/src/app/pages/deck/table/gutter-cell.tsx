import type { TableColumn } from '../../../../data/documents.ts';
import type { ViewRow } from '../../../../data/table/view.ts';
import css from './table-view.module.css';

/** What stays in view at a row's left: its number, and the columns kept there. */
export function GutterCell({
  row,
  frozen,
  textOf,
  onOpen,
}: {
  row: ViewRow;
  frozen: readonly TableColumn[];
  textOf: (row: ViewRow, key: string) => string;
  onOpen: (card: string) => void;
}) {
  if (row.kind !== 'card') {
    return (
      <span className={css.group}>
        {row.label || 'None'} <em>{row.cards}</em>
      </span>
    );
  }
  return (
    <span className={css.gutter}>
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
      {frozen.map(({ key }) => (
        <span key={key} className={css.frozen}>
          {textOf(row, key)}
        </span>
      ))}
    </span>
  );
}
