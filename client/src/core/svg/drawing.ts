import type { Op } from '../scene/display/display-list.ts';

/** A vector image: paths that the painters know, in a space of `w` by `h` units with y down. */
export interface Drawing {
  readonly w: number;
  readonly h: number;
  readonly ops: readonly Op[];
}

/** Largest SVG that is kept as vectors, in bytes. */
export const MAX_SVG_BYTES = 1024 * 1024;
/** Elements inside one another. */
export const MAX_DEPTH = 32;
/** Most painted elements; those that `use` repeats count each time. */
export const MAX_ELEMENTS = 10_000;
/** Commands of all paths. */
export const MAX_COMMANDS = 20_000;

/**
 * An SVG that cannot be painted as vectors exactly as a browser shows it. The message goes on after “it ”: “has text:
 * convert it to paths”.
 */
export class NotVector extends Error {
  override readonly name = 'NotVector';
}
