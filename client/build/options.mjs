import { parseArgs } from 'node:util';

/**
 * Command line of `node build.mjs`.
 * @typedef {{ watch: boolean, official: boolean, outDir: string }} BuildOptions
 */

/**
 * @param {string[]} argv arguments after the script's name
 * @returns {BuildOptions}
 */
export function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      watch: { type: 'boolean', default: false },
      sdk: { type: 'string', default: 'shim' },
      out: { type: 'string', default: 'dist' },
    },
  });
  if (values.sdk !== 'shim' && values.sdk !== 'official') {
    throw new Error(`--sdk takes "shim" or "official", not "${values.sdk}"`);
  }
  return { watch: values.watch, official: values.sdk === 'official', outDir: values.out };
}
