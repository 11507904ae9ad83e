import { defineConfig } from 'vitest/config';

/** Whole-product tests: the real binary, a real browser. One file at a time, because they share two cores. */
export default defineConfig({
  test: {
    include: ['e2e/specs/**/*.spec.ts'],
    environment: 'node',
    setupFiles: ['e2e/failures.ts'],
    fileParallelism: false,
    // As long as a slow machine needs; only what hangs meets these, in milliseconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
