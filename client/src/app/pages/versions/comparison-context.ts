import { createContext, useContext } from 'react';
import type { StoredChange } from '../../../core/versions/stored-change.ts';

/** The two states that are compared. */
export interface Compared {
  /** Id of a version. */
  readonly from: string;
  /** Id of a version, or `now`. */
  readonly to: string;
  /** Their names. */
  readonly labels: readonly [from: string, to: string];
  readonly changes: readonly StoredChange[];
}

export const ComparisonContext = createContext<Compared>({
  from: '',
  to: '',
  labels: ['', ''],
  changes: [],
});

/** The states that are compared around here. */
export const useComparison = (): Compared => useContext(ComparisonContext);
