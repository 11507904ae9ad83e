import type { Plugin } from 'esbuild';

export const harfbuzzWasm: Plugin;
