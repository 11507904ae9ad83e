import { describe, expect, test } from 'vitest';
import { evaluate, type StepBudget, TOO_MANY_TOGETHER } from '../../../core/expression/expression.ts';
import type { Card, Component, TableColumn, WithId } from '../../documents/documents.ts';
import { computedCards, FORMULA_FAULT, Formulas, MAX_TABLE_STEPS, WAITING } from './formula.ts';

const scope = () => undefined;
const spentBy = (formula: string): number => {
  const budget: StepBudget = { left: MAX_TABLE_STEPS };
  evaluate(formula, scope, budget);
  return MAX_TABLE_STEPS - budget.left;
};
const cardsOf = (count: number): WithId<Card>[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${i}`, order: i, copies: 1, cells: { n: `${i}` } }));
const componentOf = (formulas: number, formula: string): Pick<Component, 'columns' | 'copiesColumn'> => ({
  columns: [
    { key: 'n', name: 'N', type: 'text' },
    ...Array.from(
      { length: formulas },
      (_, i): TableColumn => ({ key: `f${i}`, name: `F${i}`, type: 'formula', formula }),
    ),
  ],
});
const formulaCells = (cards: readonly WithId<Card>[]) =>
  cards.flatMap(({ cells }) => Object.entries(cells).flatMap(([key, text]) => (key === 'n' ? [] : [text])));

describe('steps', () => {
  test('are counted for what sorting and long texts take', () => {
    expect(spentBy('sort(range(1000))')).toBeGreaterThan(10_000);
    expect(spentBy('upper(repeat("a", 16000))')).toBeGreaterThan(2_000);
    expect(spentBy('1 + 1')).toBe(3);
    const sorts = Array.from({ length: 20 }, () => 'sort(range(1000))').join(', ');
    expect(evaluate(`list(${sorts})`, scope)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('steps') },
    });
  });

  test('of one budget end the evaluations that share it', () => {
    const budget: StepBudget = { left: 2_500 };
    expect(evaluate('sum(range(900))', scope, budget).ok).toBe(true);
    expect(evaluate('sum(range(900))', scope, budget)).toMatchObject({
      ok: false,
      error: { message: TOO_MANY_TOGETHER },
    });
  });
});

describe('a table', () => {
  test('of very many long formulas works out some and says why not the rest', () => {
    const cells = formulaCells(computedCards(cardsOf(500), componentOf(50, 'sum(sort(range(1000)))')));
    const left = cells.filter((text) => text === FORMULA_FAULT + TOO_MANY_TOGETHER);
    expect(cells).toHaveLength(25_000);
    expect(left.length).toBeGreaterThan(20_000);
    expect(cells.filter((text) => text === '500500').length).toBe(25_000 - left.length);
    expect(cells[0]).toBe('500500');
  });

  test('of ordinary size is worked out whole, again after each change', () => {
    const component = componentOf(10, 'if(n > 5, upper("many"), n * 2) & " " & round(n / 3, 2)');
    const formulas = new Formulas(component);
    for (let change = 0; change < 20; change++) {
      const cells = formulaCells(computedCards(cardsOf(1_000), component, formulas));
      expect(cells.filter((text) => text.startsWith(FORMULA_FAULT))).toEqual([]);
    }
  });

  test('of fewer cards than before works out what was too much then', () => {
    const component = componentOf(50, 'sum(sort(range(1000)))');
    const cards = cardsOf(500);
    const formulas = new Formulas(component);
    expect(formulaCells(computedCards(cards, component, formulas)).at(-1)).toBe(
      FORMULA_FAULT + TOO_MANY_TOGETHER,
    );
    const left = cards.slice(-2);
    expect(new Set(formulaCells(computedCards(left, component, formulas)))).toEqual(new Set(['500500']));
  });

  test('in slices shows what a cell said before its card moved, until it is worked out anew', () => {
    const component = componentOf(20, 'sum(range(900)) + index');
    const cards = cardsOf(300);
    const formulas = new Formulas(component, true);
    const all = () => formulaCells(computedCards(cards, component, formulas));
    for (all(); formulas.waiting; all()) formulas.resume();
    const moved = cards.slice(1);
    const cells = formulaCells(computedCards(moved, component, formulas));
    expect(cells).not.toContain(WAITING);
    expect(cells[0]).toBe('405451');
    expect(cells.at(-1)).toBe('405750');
  });

  test('in slices shows what is in sight first, and all of it in the end', () => {
    const component = componentOf(20, 'sum(range(900)) + n');
    const cards = cardsOf(300);
    const formulas = new Formulas(component, true);
    const first = formulaCells(computedCards(cards, component, formulas));
    expect(first[0]).toBe('405450');
    expect(first.at(-1)).toBe(WAITING);
    expect(formulas.waiting).toBe(true);
    // Somebody looks at the end of the table.
    const last = cards.at(-1) as WithId<Card>;
    expect(formulas.seenTextOf(last, 'f19')).toBe('405749');
    let slices = 0;
    let cells = first;
    while (formulas.waiting) {
      formulas.resume();
      slices++;
      cells = formulaCells(computedCards(cards, component, formulas));
    }
    expect(slices).toBeGreaterThan(5);
    expect(cells).toEqual(formulaCells(computedCards(cards, component)));
    expect(cells).not.toContain(WAITING);
  });
});
