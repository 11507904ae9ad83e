import { changedSince } from '../imposition/job/print-runs.ts';

/** Fingerprint by id of the card. */
type Marks = ReadonlyMap<string, string>;

/** Ids of the cards that are new or look different, in the order of the later state. */
export const toReprint = (before: Marks, after: Marks): readonly string[] =>
  changedSince([{ number: 1, marks: before }], 1, after);
