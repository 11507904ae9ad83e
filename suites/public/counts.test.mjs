import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counts } from './counts.mjs';

const CASES = {
  jest: [
    'Test Suites: 1 failed, 3 passed, 4 total\nTests:       2 failed, 1 skipped, 20 passed, 23 total\n',
    [20, 2, 1],
  ],
  vitest: [
    '\x1b[2m Test Files \x1b[22m \x1b[1m\x1b[31m4 failed\x1b[39m | 7 passed (13)\n\x1b[2m      Tests \x1b[22m 83 passed | 51 skipped (134)\n',
    [83, 0, 4],
  ],
  mocha: ['  20 passing (3s)\n  2 pending\n  1 failing\n\n  1) [closed] passing tests:\n', [20, 1, 0]],
  tape: ['# tests 21\n# pass  20\n# fail  1\n', [20, 1, 0]],
  several: ['  20 passing (3s)\n> next\n  5 passing (10ms)\n  1 failing\n', [25, 1, 0]],
  pytest: ['3 failed, 72 passed, 56 skipped, 25 errors in 10.37s\n', [72, 28, 0]],
  nothing: ['npm error code 1\n', [0, 0, 0]],
};

for (const [runner, [output, expected]] of Object.entries(CASES))
  test(`${runner}'s counts are read`, () => {
    const { passed, failed, files } = counts(output);
    assert.deepEqual([passed, failed, files], expected);
  });
