// Makes the fonts that text is set in from the woff2 files of @fontsource. The built-in families become
// TrueType, which HarfBuzz, PDF and tests read as it is; those of the library stay woff2 until one is used.
//   node scripts/fonts.mjs             write the catalogues client/assets/*.json (committed) from the packages
//   writeFonts(directory)              called by the build: every file of both, and the library's catalogue
//   writeFontPack(directory)           called by the build: the pack for Chinese, Japanese and Korean with its catalogue
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import decompress from 'woff2-encoder/decompress';
import { BUILT_IN, COPYRIGHTS, EAST_ASIAN, LIBRARY } from './font-families.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const CATALOGUE = path.join(root, 'assets/fonts.json');
const LIBRARY_CATALOGUE = path.join(root, 'assets/font-library.json');
const CACHE = path.join(root, 'node_modules/.cache/tuckbox-fonts');

/** Weights and characters taken of a library family, where it has them. */
const LIBRARY_WEIGHTS = [400, 700];
const LIBRARY_SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'hebrew', 'arabic'];

const packageDir = (id) => path.join(root, 'node_modules/@fontsource', id);
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The name inside the first line of an OFL text, where metadata has no copyright of its own. */
function copyrightOf(metadata, dir) {
  const attribution = metadata.license?.attribution;
  if (COPYRIGHTS[metadata.id]) return COPYRIGHTS[metadata.id];
  if (/copyright/i.test(attribution ?? '')) return attribution;
  return readFileSync(path.join(dir, 'LICENSE'), 'utf8').split('\n')[0].trim();
}

const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8);

/** The catalogue's entry of one family; files end in `extension`. */
function describe({ id, weights, subsets, fallbackOnly, upright, colour, incomplete }, extension) {
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
        faces.push({
          id: face,
          weight,
          italic: style === 'italic',
          subset,
          file: `${face}-${hashOf(source)}.${extension}`,
        });
      }
    }
  }
  return {
    id,
    name: metadata.family,
    category: metadata.category,
    fallbackOnly: fallbackOnly === true,
    ...(upright && { upright }),
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

/** Folder of the pack on the site, below that of the fonts. */
const PACK_FOLDER = 'cjk';
/** Characters that fonts of other scripts set in East Asian text. */
const LEFT_OUT = ['cyrillic', 'vietnamese'];

const packDir = (id) => path.join(root, 'node_modules/@fontsource-variable', id);

/** A family of the pack. Its parts have numbers, and those of letters have names. */
function describePacked(id) {
  const dir = packDir(id);
  const metadata = readJson(path.join(dir, 'metadata.json'));
  const ranges = Object.entries(readJson(path.join(dir, 'unicode.json')))
    .map(([subset, text]) => [subset.replace(/[[\]]/g, ''), text])
    .filter(([subset]) => !LEFT_OUT.includes(subset));
  return {
    id,
    name: metadata.family,
    category: metadata.category,
    fallbackOnly: false,
    upright: true,
    colour: false,
    // The files begin at the lightest weight; the package's own list says 400.
    axes: [{ tag: 'wght', min: 100, default: 100, max: 900 }],
    licence: metadata.license.type,
    licenceUrl: metadata.license.url,
    copyright: COPYRIGHTS[id],
    ranges: Object.fromEntries(ranges),
    faces: ranges.map(([subset]) => {
      const face = `${id}-${subset}-wght-normal`;
      // In the capitals by which the server tells that a file never changes.
      const hash = hashOf(path.join(dir, 'files', `${face}.woff2`)).toUpperCase();
      // A path on the site: the other fonts are files of one folder.
      const file = `/fonts/${PACK_FOLDER}/${face}-${hash}.woff2`;
      return { id: face, weight: 400, italic: false, subset, file };
    }),
  };
}

/** The catalogue of the pack for Chinese, Japanese and Korean. */
export function buildFontPack() {
  return { families: EAST_ASIAN.map(describePacked) };
}

/** Writes the pack into a folder: its fonts, `families.json`, and the licence of the fonts. */
export function writeFontPack(directory) {
  mkdirSync(directory, { recursive: true });
  const pack = buildFontPack();
  for (const family of pack.families) {
    for (const { id, file } of family.faces) {
      const source = path.join(packDir(family.id), 'files', `${id}.woff2`);
      copyFileSync(source, path.join(directory, path.basename(file)));
    }
  }
  const licence = readFileSync(path.join(packDir(EAST_ASIAN[0]), 'LICENSE'), 'utf8');
  const copyrights = pack.families.map(({ name, copyright }) => `${name}: ${copyright}`);
  writeFileSync(path.join(directory, 'LICENSE.txt'), `${copyrights.join('\n')}\n\n${licence}`);
  writeFileSync(path.join(directory, 'families.json'), JSON.stringify(pack));
}

/** Bytes of a face of the pack, as its file has them. */
export function readPackedFace({ id, family }) {
  return readFileSync(path.join(packDir(family), 'files', `${id}.woff2`));
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
