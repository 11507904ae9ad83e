import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const LAZY_IMPORT = /\bimport\(\s*'(\.[^']+)'\s*\)/g;

const isSource = (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file);

/**
 * The application's own modules that some module imports lazily.
 * @param {string} root the client's folder
 * @returns {Set<string>} absolute paths
 */
export function lazyModules(root) {
  const folder = path.join(root, 'src');
  const found = new Set();
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!isSource(name)) continue;
    const file = path.join(folder, name);
    for (const [, target] of readFileSync(file, 'utf8').matchAll(LAZY_IMPORT)) {
      const lazy = path.resolve(path.dirname(file), target);
      if (isSource(lazy)) found.add(lazy);
    }
  }
  return found;
}

/**
 * esbuild makes a chunk for each set of entries and lazy modules that share code, which scatters an entry with many
 * lazy pages over dozens of small files: each a request, and each compressed by itself. A lazy module runs after the
 * entry anyway; one that says so leaves all that the entry needs at once in one file.
 * @param {string} root the client's folder
 * @param {string} entry absolute path of the module that starts the page
 * @returns {(file: string, source: string) => string} what to load in place of a module's source
 */
export function entryInOneChunk(root, entry) {
  const lazy = lazyModules(root);
  return (file, source) =>
    lazy.has(file) && file !== entry ? `${source}\nimport ${JSON.stringify(entry)};\n` : source;
}
