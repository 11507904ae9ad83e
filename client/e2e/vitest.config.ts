import { defineConfig } from 'vitest/config';

/** Whole-product tests: the real binary, a real browser. Each file has a server and a browser of its own. */
export default defineConfig({
  test: {
    include: ['e2e/specs/**/*.spec.ts'],
    environment: 'node',
    setupFiles: ['e2e/failures.ts'],
    // Pages are reported before the file's own hooks close the browser.
    sequence: { hooks: 'list' },
    // A file leaves half of two cores idle: it waits for the browser, the browser for the server. More than two files
    // at a time only slow each other.
    maxWorkers: 2,
    // As long as a slow machine needs; only what hangs meets these, in milliseconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
