import { Unseen } from '../../../../../ui/page/page.tsx';
import css from '../sheet/cells.module.css';
import { Cell, type ColumnLook } from '../sheet/cells.tsx';
import type { SheetCellProps } from '../sheet/sheet.tsx';
import { columnOfWords, type TableWords, type WordsState } from './table-words.ts';

/** Properties shared by the cells of a column of words. */
export interface WordsLook extends ColumnLook {
  readonly words: TableWords;
}

const STATES: Readonly<Partial<Record<WordsState, string>>> = {
  missing: 'Missing',
  stale: 'Stale',
  lost: 'Lost',
  unsaved: 'Not saved',
};

/** A card's words in a language, with their state where they are not done. */
export function WordsCell(props: SheetCellProps) {
  const { row, column, text } = props;
  const { words, short } = column.data as WordsLook;
  if (row.kind !== 'card') return null;
  if (props.editing && !props.readOnly) return <Cell {...props} />;
  const cell = words.cellOf(row.id, columnOfWords(column.key));
  if (!cell) return <span className={css.text} data-untranslated />;
  const state = STATES[cell.state];
  const lines = (all: string): string => (short ? all.replace(/\s*\n\s*/g, ' ⏎ ') : all);
  return (
    <span className={css.text} data-lines={short ? 1 : undefined} {...(cell.note && { title: cell.note })}>
      {cell.state === 'missing' && text === '' ? (
        <span className={css.words} data-source aria-hidden>
          {words.instead && lines(cell.source)}
        </span>
      ) : (
        <span className={css.words} lang={words.language} dir="auto">
          {lines(text)}
        </span>
      )}
      {state !== undefined && (
        <span className={css.wordsState} data-state={cell.state}>
          {state}
          {cell.note && <Unseen>. {cell.note}</Unseen>}
        </span>
      )}
    </span>
  );
}
