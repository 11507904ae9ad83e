/**
 * Numbers that follow from a seed: what is made at random from a seed can be made again. Not for secrets.
 * FNV-1a for the seed and Mulberry32 for the sequence, both in the public domain.
 */

/** A source of numbers from 0 up to 1. */
export type RandomSource = () => number;

/** The sequence of numbers of a seed. */
export function randomFrom(seed: string): RandomSource {
  let state = 0x811c9dc5;
  for (let at = 0; at < seed.length; at++) state = Math.imul(state ^ seed.charCodeAt(at), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
