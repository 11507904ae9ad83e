import { useCallback } from 'react';
import { MAX_CARDS } from '../../../../data/documents/documents.ts';
import type { Intent } from '../../../../data/table/changes/change.ts';
import { type CellEdit, newCard, orderAfter, understand } from '../../../../data/table/changes/edits.ts';
import type { CardTable } from '../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../data/table/sync/table-state.ts';
import type { ViewRow } from '../../../../data/table/view.ts';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { showUndoable } from './saving/show-undoable.ts';

/** Actions on the cards of a table. Indices are those of `rows`. */
export function useCardActions(
  table: CardTable,
  state: TableState,
  rows: readonly ViewRow[],
  onAdded: (card: string) => void,
) {
  const { component } = state;
  const run = useCallback((label: string, intents: readonly Intent[]) => table.run(label, intents), [table]);
  const edit = useCallback(
    (label: string, edits: readonly CellEdit[]) => {
      const { intents, faults } = understand(edits, table.snapshot().component);
      for (const fault of faults) toasts.show(fault, { type: 'warning', autoCloseTime: 6_000 });
      return run(label, intents);
    },
    [run, table],
  );
  /** Adds cards with these texts below a row, or at the end. */
  const addCards = (texts: readonly Readonly<Record<string, string>>[], below?: number) => {
    const { cards } = table.snapshot();
    if (cards.length + texts.length > MAX_CARDS) {
      toasts.show(`A component has at most ${MAX_CARDS} cards. Delete some, or add another component.`, {
        type: 'warning',
        autoCloseTime: 8_000,
      });
      return [];
    }
    const belowId = below === undefined ? undefined : rows[below]?.id;
    let index = belowId === undefined ? cards.length - 1 : cards.findIndex(({ id }) => id === belowId);
    if (index < 0) index = cards.length - 1;
    const step = (orderAfter(cards, index) - (cards[index]?.order ?? -1)) / texts.length || 1;
    const faults = new Set<string>();
    const intents = texts.map((one, i): Intent => {
      const made = newCard(one, (cards[index]?.order ?? -1) + step * (i + 1), component);
      for (const fault of made.faults) faults.add(fault);
      return { kind: 'add', card: crypto.randomUUID().replaceAll('-', '').slice(0, 20), value: made.card };
    });
    for (const fault of faults) toasts.show(fault, { type: 'warning', autoCloseTime: 6_000 });
    return intents;
  };
  const addCard = (below?: number) => {
    if (state.readOnly) return;
    const intents = addCards([{}], below);
    run('new card', intents);
    const [first] = intents;
    if (first?.kind === 'add') onAdded(first.card);
  };
  const cardsAt = (indexes: readonly number[]) =>
    indexes.flatMap((index) => {
      const row = rows[index];
      return row?.kind === 'card' ? [row.card] : [];
    });
  const removeCards = (indexes: readonly number[]) => {
    if (state.readOnly) return;
    const gone = cardsAt(indexes);
    const done = run(
      gone.length === 1 ? 'delete card' : `delete ${gone.length} cards`,
      gone.map(({ id }) => ({ kind: 'remove', card: id })),
    );
    if (done === 0) return;
    const message = `${gone.length === 1 ? 'A card was' : `${gone.length} cards were`} deleted.`;
    showUndoable(table, message, 'delete', { autoCloseTime: 6_000 });
  };
  const duplicate = (indexes: readonly number[]) => {
    const last = indexes[indexes.length - 1];
    const copies = cardsAt(indexes);
    const intents = addCards(
      copies.map(() => ({})),
      last,
    ).map((intent, i) => {
      const original = copies[i];
      if (intent.kind !== 'add' || !original) return intent;
      const { id: _, ...value } = original;
      return { ...intent, value: { ...value, order: intent.value.order } };
    });
    run(copies.length === 1 ? 'duplicate card' : 'duplicate cards', intents);
  };
  /** Moves cards by one place; only where the table shows them in their own order. */
  const moveCards = (indexes: readonly number[], by: -1 | 1) => {
    const { cards } = table.snapshot();
    const ids = new Set(cardsAt(indexes).map(({ id }) => id));
    const places = cards.flatMap(({ id }, i) => (ids.has(id) ? [i] : []));
    const edge = by < 0 ? places[0] : places[places.length - 1];
    if (edge === undefined) return;
    const neighbour = cards[edge + by];
    if (!neighbour) return;
    const block = places.map((place) => cards[place]).filter((card) => card !== undefined);
    const ordered = by < 0 ? [...block, neighbour] : [neighbour, ...block];
    const orders = ordered.map(({ order }) => order).sort((a, b) => a - b);
    run(
      'move',
      ordered.map((card, i) => ({ kind: 'field', card: card.id, field: 'order', value: orders[i] ?? i })),
    );
  };
  return { run, edit, addCards, addCard, cardsAt, removeCards, duplicate, moveCards };
}
