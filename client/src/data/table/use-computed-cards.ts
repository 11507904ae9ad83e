import { useEffect, useMemo, useState } from 'react';
import type { Card, Component, WithId } from '../documents.ts';
import { useWithout } from '../opening.ts';
import { computedCards, Formulas, withoutFormulas } from './formula.ts';

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

/** Cards with formula columns worked out, the rest of a large table in pauses. */
export function useComputedCards<C extends readonly WithId<Card>[] | undefined>(
  cards: C,
  component: Pick<Component, 'columns' | 'copiesColumn'> | undefined,
): readonly WithId<Card>[] | (C extends undefined ? undefined : never) {
  const { columns: all, copiesColumn } = component ?? {};
  const { formulas: none } = useWithout();
  const columns = useMemo(() => (all && none ? withoutFormulas({ columns: all }).columns : all), [all, none]);
  const formulas = useMemo(
    () => columns && new Formulas({ columns, ...(copiesColumn !== undefined && { copiesColumn }) }, true),
    [columns, copiesColumn],
  );
  const slice = useSlices(formulas);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each slice knows more cells
  return useMemo(() => {
    if (!cards || !columns || !formulas) return cards as never;
    return computedCards(cards, { columns, ...(copiesColumn !== undefined && { copiesColumn }) }, formulas);
  }, [cards, columns, copiesColumn, formulas, slice]);
}
