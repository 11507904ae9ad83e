import { createContext, useContext } from 'react';
import type { BlocksByRulebook } from '../../../core/versions/change-log.ts';

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

export const ComparisonContext = createContext<ComparisonStates>({
  from: '',
  to: '',
  labels: ['', ''],
  texts: new Map(),
});

/** The states that are compared around here. */
export const useComparison = (): ComparisonStates => useContext(ComparisonContext);
