/**
 * The seed of property tests. `scripts/test` sets `TUCKBOX_SEED`, so that one tree always gives one answer; without it,
 * each run draws new cases, and a failure prints the seed that repeats it.
 */
import fc from 'fast-check';

const seed = process.env.TUCKBOX_SEED;
if (seed && seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
