import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** Most JavaScript, brotli-compressed bytes, that the first visit may load before a page shows. */
export const ENTRY_BUDGET_BYTES = 130 * 1024;

/** Every output an entry needs at once: itself and its static imports, transitively. */
export function staticClosure(outputs, entry) {
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

/**
 * Prints what the build weighs and says whether the entry keeps its budget.
 * @returns {boolean} false when the entry is over budget
 */
export function sizeReport({ metafile, root }) {
  const outputs = metafile.outputs;
  const entry = Object.keys(outputs).find((file) => outputs[file].entryPoint?.endsWith('src/app/main.tsx'));
  if (!entry) throw new Error('the build has no src/app/main.tsx entry');
  const closure = staticClosure(outputs, entry).filter((file) => file.endsWith('.js'));
  const total = closure.reduce((sum, file) => sum + compressedSize(path.join(root, file)), 0);
  const lazy = Object.keys(outputs)
    .filter((file) => file.endsWith('.js') && !closure.includes(file))
    .map((file) => ({ file, size: compressedSize(path.join(root, file)) }))
    .sort((a, b) => b.size - a.size);
  const css = outputs[entry].cssBundle;
  console.log(`entry  ${kib(total)} of ${kib(ENTRY_BUDGET_BYTES)} (brotli, ${closure.length} files)`);
  if (css) console.log(`css    ${kib(compressedSize(path.join(root, css)))}`);
  for (const { file, size } of lazy.slice(0, 8))
    console.log(`lazy   ${kib(size).padStart(9)}  ${path.basename(file)}`);
  return total <= ENTRY_BUDGET_BYTES;
}
