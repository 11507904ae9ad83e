import { useCallback, useMemo, useRef } from 'react';
import { cellAt } from '../../../../core/records.ts';
import { languageName } from '../../../../core/translation/languages.ts';
import type { Card, Component, TableColumn, WithId } from '../../../../data/documents/documents.ts';
import { useWithout } from '../../../../data/opening.ts';
import { COPIES_KEY, STATUS_KEY } from '../../../../data/table/changes/edits.ts';
import { Formulas, withoutFormulas } from '../../../../data/table/formula/formula.ts';
import { useSlices } from '../../../../data/table/formula/use-computed-cards.ts';
import type { TableState } from '../../../../data/table/sync/table-state.ts';
import { type TableView, type ViewRow, viewRows } from '../../../../data/table/view.ts';
import { type CardResults, isResult, RESULT_COLUMNS, resultText } from './columns/result-columns.tsx';
import { columnOfWords, isWords, type TableWords, withWordsColumns } from './words/table-words.ts';

const STATUS: TableColumn = { key: STATUS_KEY, name: 'Status', type: 'list', width: 110 };
const COPIES: TableColumn = { key: COPIES_KEY, name: 'Copies', type: 'number', width: 84 };

/**
 * Columns as the table shows them: hidden ones left out, those kept in view first, the card's own fields at the
 * end.
 */
export function shownColumns(component: Component): TableColumn[] {
  const shown = component.columns.filter((column) => !column.hidden);
  return [
    ...shown.filter((column) => column.frozen),
    ...shown.filter((column) => !column.frozen),
    ...(component.copiesColumn === undefined ? [COPIES] : []),
    STATUS,
  ];
}

/** Everything the table shows, from the cards and how they are looked at. */
export function useTableRows(
  state: TableState,
  view: TableView,
  results: CardResults | undefined,
  words: TableWords | undefined,
) {
  const { cards, component } = state;
  const known = useRef(new WeakMap<Card, ViewRow>());
  const columns = useMemo(
    () => [
      ...withWordsColumns(shownColumns(component), words, languageName),
      ...(results ? RESULT_COLUMNS : []),
    ],
    [component, results, words],
  );
  const { formulas: none } = useWithout();
  const formulas = useMemo(() => {
    // Rows remember nothing but their card, yet cells must be drawn anew when formulas change.
    known.current = new WeakMap();
    return new Formulas(none ? withoutFormulas(component) : component, true);
  }, [component, none]);
  const slice = useSlices(formulas);
  const drawn = useRef(slice);
  const rows = useMemo(() => {
    if (drawn.current !== slice) known.current = new WeakMap();
    drawn.current = slice;
    formulas.setCards(cards);
    const rowOf = (card: WithId<Card>, number: number): ViewRow => {
      const old = known.current.get(card);
      if (old?.kind === 'card' && old.number === number) return old;
      const row: ViewRow = { kind: 'card', id: card.id, card, number };
      known.current.set(card, row);
      return row;
    };
    const textOf = (card: WithId<Card>, key: string) =>
      isResult(key)
        ? resultText(results?.get(card.id), key)
        : isWords(key)
          ? (words?.cellOf(card.id, columnOfWords(key))?.text ?? '')
          : formulas.textOf(card, key);
    return viewRows(cards, columns, view, textOf, rowOf);
  }, [cards, columns, view, formulas, slice, results, words]);
  const { textOf, wholeTextOf } = useMemo(() => {
    const reader = (of: (card: WithId<Card>, key: string) => string) => (row: ViewRow, key: string) => {
      if (row.kind !== 'card') return cellAt(row.sums, key);
      if (isWords(key)) return words?.cellOf(row.id, columnOfWords(key))?.text ?? '';
      return isResult(key) ? resultText(results?.get(row.id), key) : of(row.card, key);
    };
    return {
      textOf: reader((card, key) => formulas.seenTextOf(card, key)),
      wholeTextOf: reader((card, key) => formulas.wholeTextOf(card, key)),
    };
  }, [formulas, results, words]);
  const workOut = useCallback((pause: () => Promise<void>) => formulas.workOut(pause), [formulas]);
  return { columns, rows, textOf, wholeTextOf, workOut };
}
