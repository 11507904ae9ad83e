import { useMemo, useState } from 'react';
import { type Step, stockOf } from '../../../../core/play/protocol/buttons.ts';
import { partsOf } from '../../../../core/play/protocol/parts.ts';
import type { TableView } from '../../../../core/play/view/view.ts';

/** A step with a number of its own, so that what is written in its fields stays with it when it moves. */
export interface Listed {
  readonly key: number;
  readonly step: Step;
}

let lastKey = 0;
export const listed = (step: Step): Listed => {
  lastKey += 1;
  return { key: lastKey, step };
};

/** Steps that a window changes, beginning with `first`, and the properties of their editor. */
export function useSteps(view: TableView, first: readonly Step[] = []) {
  const [list, setList] = useState<readonly Listed[]>(() => first.map(listed));
  const parts = useMemo(() => partsOf(view), [view]);
  const supply = useMemo(() => ({ stock: stockOf(view), sets: view.sets ?? [] }), [view]);
  const steps = list.map(({ step }) => step);
  const setSteps = (next: readonly Step[]) => setList(next.map(listed));
  return { steps, setSteps, editor: { parts, supply, steps: list, onChange: setList } };
}
