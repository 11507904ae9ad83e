import { createContext, useContext } from 'react';
import type { BlocksByRulebook } from '../../../core/versions/change-log.ts';
import { type Difference, NO_DIFFERENCE } from '../../../core/versions/difference.ts';

/** The two states that are compared. */
export interface ComparisonStates {
  /** Id of a version. */
  readonly from: string;
  /** Id of a version, or `now`. */
  readonly to: string;
  /** Their names. */
  readonly labels: readonly [from: string, to: string];
  /** Changes of rulebooks' texts, by the rulebook's id; of a text that cannot be read there are none. */
  readonly texts: BlocksByRulebook;
}

/** The same, with all that differs. */
export interface Comparison extends ComparisonStates {
  readonly difference: Difference;
}

export const ComparisonContext = createContext<Comparison>({
  from: '',
  to: '',
  labels: ['', ''],
  texts: new Map(),
  difference: NO_DIFFERENCE,
});

/** The states that are compared around here. */
export const useComparison = (): Comparison => useContext(ComparisonContext);
