import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: [{ find: /^@sdk\/(.*)$/, replacement: fileURLToPath(new URL('./src/sdk/$1', import.meta.url)) }],
  },
  define: {
    __WORKER_URLS__: '{}',
    __OFFICIAL_SDK__: 'false',
    __APP_VERSION__: '"test"',
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'build/**/*.test.{ts,mjs}'],
    environment: 'node',
    setupFiles: ['build/property-seed.ts'],
    // Vitest leaves one core idle, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    // Properties take as long as the machine needs; only what hangs meets this, in milliseconds.
    testTimeout: 60_000,
  },
});
