import { isolated } from '../../../../core/text/names.ts';
import type { CardDifference, CellChange } from '../../../../core/versions/cards.ts';
import css from '../comparison.module.css';
import { RestoreButton } from './detail-frame.tsx';
import { FieldRows } from './field-rows.tsx';
import { Words } from './words.tsx';

/** Cells and fields of a card that differ, word by word. */
export function CardChanges({
  card,
  onRestore,
}: {
  card: CardDifference;
  /** Restores a cell; without it none can be. */
  onRestore?: ((cell: CellChange) => void) | undefined;
}) {
  const both = card.before !== null && card.after !== null;
  return (
    <>
      {card.cells.length > 0 && (
        <ul className={css.rows}>
          {card.cells.map((cell) => (
            <li key={cell.key} className={css.row}>
              <b>{cell.column}</b>
              <p className={css.words}>
                {both ? <Words before={cell.before} after={cell.after} /> : cell.after || cell.before}
              </p>
              {both && onRestore && (
                <RestoreButton
                  small
                  of={`${cell.column} of ${isolated(card.name)}`}
                  onRestore={() => onRestore(cell)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <FieldRows fields={card.fields} />
      {card.moved && <p className={css.hint}>It stands at another place of the table.</p>}
    </>
  );
}
