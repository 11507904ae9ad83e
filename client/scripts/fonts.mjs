// Makes the fonts that text is set in from the woff2 files of @fontsource. The built-in families become
// TrueType, which HarfBuzz, PDF and tests read as it is; those of the library stay woff2 until one is used.
//   node scripts/fonts.mjs             write the catalogues client/assets/*.json (committed) from the packages
//   writeFonts(directory)              called by the build: every file of both, and the library's catalogue
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import decompress from 'woff2-encoder/decompress';
import { BUILT_IN, COPYRIGHTS, LIBRARY } from './font-families.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const CATALOGUE = path.join(root, 'assets/fonts.json');
const LIBRARY_CATALOGUE = path.join(root, 'assets/font-library.json');
const CACHE = path.join(root, 'node_modules/.cache/tuckbox-fonts');

/** Weights and characters taken of a library family, where it has them. */
const LIBRARY_WEIGHTS = [400, 700];
const LIBRARY_SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'greek'];

const packageDir = (id) => path.join(root, 'node_modules/@fontsource', id);
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The name inside the first line of an OFL text, where metadata has no copyright of its own. */
function copyrightOf(metadata, dir) {
  const attribution = metadata.license?.attribution;
  if (COPYRIGHTS[metadata.id]) return COPYRIGHTS[metadata.id];
  if (/copyright/i.test(attribution ?? '')) return attribution;
  return readFileSync(path.join(dir, 'LICENSE'), 'utf8').split('\n')[0].trim();
}

/** The catalogue's entry of one family; files end in `extension`. */
function describe({ id, weights, subsets, fallbackOnly, colour, incomplete }, extension) {
  const dir = packageDir(id);
  const metadata = readJson(path.join(dir, 'metadata.json'));
  const unicode = readJson(path.join(dir, 'unicode.json'));
  const faces = [];
  for (const weight of weights) {
    for (const style of metadata.styles) {
      for (const subset of subsets) {
        const face = `${id}-${subset}-${weight}-${style}`;
        const source = path.join(dir, 'files', `${face}.woff2`);
        if (incomplete && !existsSync(source)) continue;
        if (!existsSync(source)) throw new Error(`${source} is missing: run npm ci in client/`);
        const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 8);
        faces.push({
          id: face,
          weight,
          italic: style === 'italic',
          subset,
          file: `${face}-${hash}.${extension}`,
        });
      }
    }
  }
  return {
    id,
    name: metadata.family,
    category: metadata.category,
    fallbackOnly: fallbackOnly === true,
    /** Glyphs have colours of their own. */
    colour: colour === true,
    licence: metadata.license.type,
    licenceUrl: metadata.license.url,
    copyright: copyrightOf(metadata, dir),
    /** Characters of each subset, as CSS unicode-range. */
    ranges: Object.fromEntries(
      subsets.map((subset) => [subset, unicode[subset] ?? Object.values(unicode).join(',')]),
    ),
    faces,
  };
}

export function buildCatalogue() {
  return { families: BUILT_IN.map((family) => describe(family, 'ttf')) };
}

/** A regular and a bold weight, or the one there is. */
function libraryFamily(id) {
  const metadata = readJson(path.join(packageDir(id), 'metadata.json'));
  const nearest = (weight) =>
    metadata.weights.reduce((best, next) =>
      Math.abs(next - weight) < Math.abs(best - weight) ? next : best,
    );
  return {
    id,
    weights: [...new Set(LIBRARY_WEIGHTS.map(nearest))],
    subsets: LIBRARY_SUBSETS.filter((subset) => metadata.subsets.includes(subset)),
    // Not every weight comes in every style.
    incomplete: true,
  };
}

export function buildLibrary() {
  return { families: LIBRARY.map((id) => describe(libraryFamily(id), 'woff2')) };
}

/** The font without one of its tables: browsers paint emoji from COLR, and SVG is four times as much. */
function withoutTable(font, tag) {
  const count = font.readUInt16BE(4);
  const entries = Array.from({ length: count }, (_, at) => font.subarray(12 + 16 * at, 28 + 16 * at));
  const kept = entries.filter((entry) => entry.toString('latin1', 0, 4) !== tag);
  if (kept.length === count) return font;
  const head = Buffer.alloc(12 + 16 * kept.length);
  font.copy(head, 0, 0, 12);
  const power = 2 ** Math.floor(Math.log2(kept.length));
  head.writeUInt16BE(kept.length, 4);
  head.writeUInt16BE(power * 16, 6);
  head.writeUInt16BE(Math.log2(power), 8);
  head.writeUInt16BE((kept.length - power) * 16, 10);
  const tables = [];
  let offset = head.length;
  for (const [at, entry] of kept.entries()) {
    const [start, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)];
    const table = Buffer.alloc((length + 3) & ~3);
    font.copy(table, 0, start, start + length);
    entry.copy(head, 12 + 16 * at);
    head.writeUInt32BE(offset, 12 + 16 * at + 8);
    tables.push(table);
    offset += table.length;
  }
  return Buffer.concat([head, ...tables]);
}

/** TrueType bytes of a face (`id`, `family`, `file`), converted once per machine. */
export async function readFace({ id, family, file }) {
  const cached = path.join(CACHE, file.replace(/woff2$/, 'ttf'));
  if (existsSync(cached)) return readFileSync(cached);
  const whole = await decompress(readFileSync(path.join(packageDir(family), 'files', `${id}.woff2`)));
  const bytes = withoutTable(Buffer.from(whole), 'SVG ');
  mkdirSync(CACHE, { recursive: true });
  // Whole or not at all: another process may be reading.
  const partial = `${cached}.${process.pid}`;
  writeFileSync(partial, bytes);
  renameSync(partial, cached);
  return Buffer.from(bytes);
}

/** Writes every face of the committed catalogues into `directory`, and `library.json`. */
export async function writeFonts(directory) {
  mkdirSync(directory, { recursive: true });
  for (const family of readJson(CATALOGUE).families) {
    for (const face of family.faces) {
      writeFileSync(path.join(directory, face.file), await readFace({ ...face, family: family.id }));
    }
  }
  const library = readJson(LIBRARY_CATALOGUE);
  for (const family of library.families) {
    for (const { id, file } of family.faces) {
      copyFileSync(path.join(packageDir(family.id), 'files', `${id}.woff2`), path.join(directory, file));
    }
  }
  writeFileSync(path.join(directory, 'library.json'), JSON.stringify(library));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { families } = buildCatalogue();
  writeFileSync(CATALOGUE, `${JSON.stringify({ families }, null, 1)}\n`);
  const library = buildLibrary().families.map((family) => JSON.stringify(family));
  writeFileSync(LIBRARY_CATALOGUE, `{"families":[\n${library.join(',\n')}\n]}\n`);
  console.log(`${families.length} families built in, ${library.length} in the library`);
}
