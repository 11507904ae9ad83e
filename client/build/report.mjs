import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** Most JavaScript, brotli-compressed bytes, that is loaded before any page can show. */
const ENTRY_BUDGET_BYTES = 130 * 1024;

/** Most JavaScript, brotli-compressed bytes, that is loaded until a first visit shows Home. */
const HOME_BUDGET_BYTES = 140 * 1024;

const MAIN = 'src/app/main.tsx';
const HOME = 'src/app/pages/home/home.tsx';

/** Every output an entry needs at once: itself and its static imports, transitively. */
function staticClosure(outputs, entry) {
  const seen = new Set();
  const walk = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const edge of outputs[file]?.imports ?? []) {
      if (edge.kind === 'import-statement' && !edge.external) walk(edge.path);
    }
  };
  walk(entry);
  return [...seen];
}

/** Brotli bytes of a file: of its `.br` neighbour when written, else compressed here. */
function compressedSize(file) {
  try {
    return statSync(`${file}.br`).size;
  } catch {
    return brotliCompressSync(readFileSync(file), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
    }).length;
  }
}

const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;

/** The JavaScript a visit needs at once, when it comes to the outputs whose sources end like this. */
function needed(outputs, ...sources) {
  const closures = sources.map((source) => {
    const entry = Object.keys(outputs).find((file) => outputs[file].entryPoint?.endsWith(source));
    if (!entry) throw new Error(`the build has no ${source}`);
    return staticClosure(outputs, entry).filter((file) => file.endsWith('.js'));
  });
  return [...new Set(closures.flat())];
}

/** Zod has its messages in forty languages, which an import of its name `z` brings along: 54 KB, brotli. */
function translatedMessages(outputs) {
  const isTranslation = (input) => /zod\/v4\/locales\/(?!en\.)\w+\.js$/.test(input);
  const isBuiltIn = ({ inputs }) =>
    Object.entries(inputs).some(([name, { bytesInOutput }]) => isTranslation(name) && bytesInOutput > 0);
  return Object.values(outputs).some(isBuiltIn)
    ? ["Zod's translations are in the build: write import * as z from 'zod'."]
    : [];
}

/**
 * Prints what the build weighs.
 * @returns {string[]} what is over its budget, a sentence each
 */
export function sizeReport({ metafile, root }) {
  const outputs = metafile.outputs;
  const sizeOf = (file) => compressedSize(path.join(root, file));
  const entry = needed(outputs, MAIN);
  const over = [];
  for (const [name, files, budget] of [
    ['entry', entry, ENTRY_BUDGET_BYTES],
    ['Home', needed(outputs, MAIN, HOME), HOME_BUDGET_BYTES],
  ]) {
    const total = files.reduce((sum, file) => sum + sizeOf(file), 0);
    console.log(`${name.padEnd(6)} ${kib(total)} of ${kib(budget)} (brotli, ${files.length} files)`);
    if (total > budget) over.push(`${name} is over its budget of ${kib(budget)}: load something lazily.`);
  }
  over.push(...translatedMessages(outputs));
  const css = Object.values(outputs).find(({ entryPoint }) => entryPoint?.endsWith(MAIN))?.cssBundle;
  if (css) console.log(`css    ${kib(sizeOf(css))}`);
  const lazy = Object.keys(outputs)
    .filter((file) => file.endsWith('.js') && !entry.includes(file))
    .map((file) => ({ file, size: sizeOf(file) }))
    .sort((a, b) => b.size - a.size);
  for (const { file, size } of lazy.slice(0, 8))
    console.log(`lazy   ${kib(size).padStart(9)}  ${path.basename(file)}`);
  return over;
}
