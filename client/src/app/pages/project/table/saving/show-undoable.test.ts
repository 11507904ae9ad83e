import { beforeEach, expect, it, vi } from 'vitest';
import type { Component, WithId } from '../../../../../data/documents/documents.ts';
import { CardTable } from '../../../../../data/table/sync/card-table.ts';
import { toasts } from '../../../../../ui/toasts/engine.ts';
import { showUndoable } from './show-undoable.ts';

const component: WithId<Component> = {
  id: 'c',
  name: 'Cards',
  kind: 'cards',
  layoutId: null,
  backLayoutId: null,
  columns: [{ key: 'a', name: 'A', type: 'text' }],
  order: 0,
  cardCount: 0,
};
let table: CardTable;

beforeEach(() => {
  vi.useFakeTimers();
  for (const { id } of toasts.snapshot()) toasts.close(id);
  const nothing = async () => {};
  table = new CardTable(component, { commit: async () => [], store: { save: nothing }, wait: nothing });
  table.setServer([], component);
  add('x');
  showUndoable(table, 'Imported: 1 card.', 'import', { autoCloseTime: 8_000 });
});

const add = (card: string) =>
  table.run(`add ${card}`, [{ kind: 'add', card, value: { order: 0, copies: 1, cells: {} } }]);
const cards = () => table.snapshot().cards.map(({ id }) => id);
const shown = () => toasts.snapshot().map(({ message }) => message);

it('undoes its own step, whatever was done after it', () => {
  add('y');
  const [action] = toasts.snapshot()[0]?.actions ?? [];
  expect(action?.buttonText).toBe('Undo import');
  action?.function();
  expect(cards()).toEqual(['y']);
});

it('goes when its step is undone otherwise', () => {
  table.undo();
  expect(shown()).toEqual([]);
});

it('stays while other steps are done and undone', () => {
  add('y');
  table.undo();
  expect(shown()).toEqual(['Imported: 1 card.']);
});

it('goes with the table', () => {
  table.close();
  expect(shown()).toEqual([]);
});
