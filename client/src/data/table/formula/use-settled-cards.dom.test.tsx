// @vitest-environment happy-dom
/** Whoever needs all cards of a heavy table gets them in slices, the one that is looked at first, and none half done. */

import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Card, Component, TableColumn, WithId } from '../../documents/documents.ts';
import { computedCards, Formulas, SLICE_STEPS, WAITING } from './formula.ts';
import { useSettledCards } from './use-computed-cards.ts';

const COLUMNS = Array.from(
  { length: 20 },
  (_, i): TableColumn => ({ key: `f${i}`, name: `F${i}`, type: 'formula', formula: 'sum(range(900)) + n' }),
);
const COMPONENT: Pick<Component, 'columns' | 'copiesColumn'> = {
  columns: [{ key: 'n', name: 'N', type: 'text' }, ...COLUMNS],
};
const CARDS = Array.from(
  { length: 300 },
  (_, i): WithId<Card> => ({ id: `${i}`, order: i, copies: 1, cells: { n: `${i}` } }),
);
const texts = (cards: readonly WithId<Card>[] = []) => cards.flatMap(({ cells }) => Object.values(cells));

let idle: (() => void)[] = [];
beforeEach(() => {
  idle = [];
  vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run));
  vi.stubGlobal('cancelIdleCallback', () => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
const nextSlice = () => {
  const [run] = idle.splice(0);
  if (run) act(run);
  return run !== undefined;
};

test('all cards come in slices, the one that is looked at first, and are said to be settled at the end', () => {
  const { result } = renderHook(() => useSettledCards(CARDS, COMPONENT));
  const first = result.current;
  expect(first?.settled).toBe(false);
  expect(texts(first?.cards)).toContain(WAITING);
  const last = CARDS.at(-1) as WithId<Card>;
  expect(first?.seen(last)['f19']).toBe('405749');
  let slices = 0;
  while (nextSlice()) {
    slices++;
    // Nobody is given the cards of every slice anew.
    if (!result.current?.settled) expect(result.current).toBe(first);
  }
  expect(slices).toBeGreaterThan(5);
  expect(result.current?.settled).toBe(true);
  expect(texts(result.current?.cards)).toEqual(texts(computedCards(CARDS, COMPONENT)));
});

test('a table without heavy formulas is settled at once', () => {
  const light = { columns: [{ key: 'f', name: 'F', type: 'formula', formula: 'n * 2' } as TableColumn] };
  const component = { columns: [...COMPONENT.columns.slice(0, 1), ...light.columns] };
  const { result } = renderHook(() => useSettledCards(CARDS, component));
  expect(result.current?.settled).toBe(true);
  expect(result.current?.cards[3]?.cells['f']).toBe('6');
});

test('a file or a search works all cells out with pauses, and is called off in one', async () => {
  const formulas = new Formulas(COMPONENT);
  formulas.setCards(CARDS);
  let pauses = 0;
  await formulas.workOut(async () => void pauses++);
  expect(pauses).toBeGreaterThan((300 * 20 * 900) / SLICE_STEPS / 2);
  expect(texts(computedCards(CARDS, COMPONENT, formulas))).toEqual(texts(computedCards(CARDS, COMPONENT)));
  const other = new Formulas(COMPONENT);
  other.setCards(CARDS);
  await expect(other.workOut(() => Promise.reject(new Error('called off')))).rejects.toThrow('called off');
});
