import { useEffect, useMemo, useRef, useState } from 'react';
import { bareRecord } from '../../../core/records.ts';
import type { Card, Component, WithId } from '../../documents/documents.ts';
import { useWithout } from '../../opening.ts';
import { computedCards, Formulas, WAITING, withoutFormulas } from './formula.ts';

/** A pause that a busy page gets all the same, in milliseconds. */
const LONGEST_WAIT_MS = 200;

/** Calls back when the page has nothing else to do; what is returned calls that off. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 0);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(run, { timeout: LONGEST_WAIT_MS });
  return () => cancelIdleCallback(request);
}

/** Goes on with formulas that wait, a slice at a time. @returns a number that is another after each slice */
export function useSlices(formulas: Formulas | undefined): number {
  const [slice, setSlice] = useState(0);
  useEffect(() => {
    if (!formulas) return;
    let callOff = () => {};
    const goOn = () => {
      callOff = whenIdle(() => {
        formulas.resume();
        setSlice((last) => last + 1);
      });
    };
    formulas.onWaiting = goOn;
    // The first drawing asked for cells before anybody listened.
    if (formulas.waiting) goOn();
    return () => {
      callOff();
      formulas.onWaiting = undefined;
    };
  }, [formulas]);
  return slice;
}

type Table = Pick<Component, 'columns' | 'copiesColumn'>;

/** Formulas of a component, worked out in slices; nothing is worked out where the user opened without formulas. */
function useFormulas(component: Table | undefined) {
  const { columns: all, copiesColumn } = component ?? {};
  const { formulas: none } = useWithout();
  const table = useMemo<Table | undefined>(() => {
    if (!all) return undefined;
    const found = { columns: all, ...(copiesColumn !== undefined && { copiesColumn }) };
    return none ? withoutFormulas(found) : found;
  }, [all, copiesColumn, none]);
  const formulas = useMemo(() => table && new Formulas(table, true), [table]);
  const slice = useSlices(formulas);
  return { table, formulas, slice };
}

/** Cards with formula columns worked out, the rest of a large table in pauses. */
export function useComputedCards<C extends readonly WithId<Card>[] | undefined>(
  cards: C,
  component: Table | undefined,
): readonly WithId<Card>[] | (C extends undefined ? undefined : never) {
  const { table, formulas, slice } = useFormulas(component);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each slice knows more cells
  return useMemo(() => {
    if (!cards || !table || !formulas) return cards as never;
    return computedCards(cards, table, formulas);
  }, [cards, table, formulas, slice]);
}

/** Cards with formula columns worked out, for whoever needs all of them. */
export interface SettledCards {
  readonly cards: readonly WithId<Card>[];
  /** False while cells wait; they say so. */
  readonly settled: boolean;
  /** The cells of a card that somebody looks at; they come first. */
  readonly seen: (card: WithId<Card>) => Card['cells'];
}

/** The same for whoever does more with all cards than to show them: others come once the last is worked out. */
export function useSettledCards(
  cards: readonly WithId<Card>[] | undefined,
  component: Table | undefined,
): SettledCards | undefined {
  const { table, formulas, slice } = useFormulas(component);
  const last = useRef<SettledCards & { readonly of: readonly unknown[] }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each slice knows more cells
  return useMemo(() => {
    if (!cards || !table || !formulas) return undefined;
    const computed = computedCards(cards, table, formulas);
    const settled = !formulas.waiting;
    const same = last.current?.of[0] === cards && last.current.of[1] === formulas;
    if (same && last.current?.settled === settled) return last.current;
    const keys = table.columns.filter(({ type }) => type === 'formula').map(({ key }) => key);
    const whole = new WeakMap<Card, Card['cells']>();
    const seen = (card: WithId<Card>): Card['cells'] => {
      const known = whole.get(card);
      if (known) return known;
      const entries = keys.map((key) => [key, formulas.seenTextOf(card, key)] as const);
      const cells = bareRecord([...Object.entries(card.cells), ...entries]);
      if (!entries.some(([, text]) => text === WAITING)) whole.set(card, cells);
      return cells;
    };
    last.current = { cards: computed, settled, seen, of: [cards, formulas] };
    return last.current;
  }, [cards, table, formulas, slice]);
}
