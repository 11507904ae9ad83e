// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { CardTable } from '../../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../../data/table/sync/table-state.ts';
import type { useCardActions } from '../use-card-actions.ts';
import { type TableWords, wordsKey } from './table-words.ts';
import { useWordsEdits } from './use-words-edits.ts';

/** A table and a language with histories of their own; `log` has what was taken back, in order. */
function world(readOnly = false) {
  const steps: { label: string }[] = [];
  const translations: string[] = [];
  const log: string[] = [];
  let stores = true;
  let undoes = true;
  const table = {
    get lastStep() {
      return steps.at(-1);
    },
    snapshot: () => ({ readOnly }),
  } as unknown as CardTable;
  const own = {
    edit: (label: string) => steps.push({ label }),
  } as unknown as ReturnType<typeof useCardActions>;
  const history = {};
  const props = () => ({
    state: { undo: steps.at(-1)?.label, readOnly } as TableState,
    words: {
      mayWrite: true,
      history,
      undoes: translations.at(-1),
      undo: async () => {
        log.push(undoes ? (translations.pop() ?? 'nothing') : 'failed');
        return undoes;
      },
      write: async (label: string) => {
        if (stores) translations.push(label);
        return stores;
      },
    } as unknown as TableWords,
  });
  const { result, rerender } = renderHook(({ state, words }) => useWordsEdits(own, table, state, words), {
    initialProps: props(),
  });
  const edit = async (label: string, key: string) => {
    await act(async () => {
      result.current.cards.edit(label, [{ id: 'a', key, text: 'x' }]);
    });
    rerender(props());
  };
  return {
    log,
    undoes: () => result.current.undoes,
    cell: (label: string) => edit(label, 'name'),
    translate: async (label: string, stored = true) => {
      stores = stored;
      await edit(label, wordsKey('name'));
    },
    undo: async (works = true) => {
      undoes = works;
      await act(async () => {
        if (!result.current.undoWords()) log.push(steps.pop()?.label ?? 'nothing');
      });
      rerender(props());
    },
  };
}

test('translations and cells are taken back in the order in which they were made', async () => {
  const { log, cell, translate, undo, undoes } = world();
  await translate('first word');
  await cell('first cell');
  await translate('second word');
  await translate('third word');
  await cell('second cell');
  expect(undoes()).toBe('second cell');
  for (let i = 0; i < 5; i++) await undo();
  expect(log).toEqual(['second cell', 'third word', 'second word', 'first cell', 'first word']);
  expect(undoes()).toBeUndefined();
});

test('a translation that could not be stored is no change to take back', async () => {
  const { log, cell, translate, undo } = world();
  await translate('first word');
  await cell('first cell');
  await translate('refused', false);
  await undo();
  await undo();
  expect(log).toEqual(['first cell', 'first word']);
});

test('whoever may change no cell is offered translations alone', async () => {
  const { cell, translate, undo, undoes } = world(true);
  await cell('an earlier change');
  expect(undoes()).toBeUndefined();
  await translate('a word');
  expect(undoes()).toBe('a word');
  await undo();
  expect(undoes()).toBeUndefined();
});

test('a translation that could not be taken back is offered again', async () => {
  const { log, cell, translate, undo, undoes } = world();
  await cell('a cell');
  await translate('a word');
  await undo(false);
  expect(undoes()).toBe('a word');
  await undo();
  await undo();
  expect(log).toEqual(['failed', 'a word', 'a cell']);
});
