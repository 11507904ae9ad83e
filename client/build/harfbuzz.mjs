import { readFile } from 'node:fs/promises';

/**
 * HarfBuzz looks for its wasm beside its own file, which a bundle moves. This makes the bundler
 * copy the wasm and hand over its URL, and leaves out the part that is for Node.
 */
export const harfbuzzWasm = {
  name: 'harfbuzz-wasm',
  setup(build) {
    build.onLoad({ filter: /harfbuzzjs[\\/]dist[\\/]harfbuzz\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const located = replaceOnce(source, 'new URL("harfbuzz.wasm",import.meta.url).href', 'wasmUrl', path);
      const contents = replaceOnce(located, 'await import("module")', '{}', path);
      return { contents: `import wasmUrl from './harfbuzz.wasm';\n${contents}`, loader: 'js' };
    });
  },
};

function replaceOnce(text, from, to, path) {
  if (text.split(from).length !== 2)
    throw new Error(`${path}: expected «${from}» once; harfbuzzjs has changed.`);
  return text.replace(from, () => to);
}
