import { defineConfig } from 'vitest/config';

/**
 * Whole-product tests: the real binary, a real browser. Two files at a time: each waits for pages and pictures half of
 * its time.
 */
export default defineConfig({
  test: {
    include: ['e2e/specs/**/*.spec.ts'],
    environment: 'node',
    setupFiles: ['e2e/failures.ts'],
    maxWorkers: 2,
    // As long as a slow machine needs; only what hangs meets these, in milliseconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
