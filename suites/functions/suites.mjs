// The sources of functions that are tested, each with its tests. A project has one function of a kind that is asked before
// accounts come, so those of the first generation have a source of their own.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileSample } from './compile.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** By name: the folder of its configuration, how its source is made ready, and its tests. */
export const SUITES = {
  sample: {
    folder: here,
    source: compileSample,
    tests: ['calls', 'contained', 'official-client', 'web', 'documents', 'others', 'controls'],
  },
  'first-accounts': {
    folder: path.join(here, 'first-accounts'),
    source: () => path.join(here, 'first-accounts/functions'),
    tests: ['first-accounts'],
  },
};

/** Tells a test process which of them it runs. */
export const SUITE_VARIABLE = 'TUCKBOX_FUNCTIONS_SUITE';
