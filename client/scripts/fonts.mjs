// Turns the families of FAMILIES (woff2 from @fontsource) into TrueType files that HarfBuzz, PDF and
// tests can read, and writes their catalogue.
//   node scripts/fonts.mjs             write client/assets/fonts.json (committed) from the packages
//   writeFonts(directory)              called by the build: every .ttf of the catalogue into directory
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import decompress from 'woff2-encoder/decompress';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const CATALOGUE = path.join(root, 'assets/fonts.json');
const CACHE = path.join(root, 'node_modules/.cache/tuckbox-fonts');

/** Families offered to designers, then those that only fill in for characters the others lack. */
const FAMILIES = [
  {
    id: 'eb-garamond',
    weights: [400, 700],
    subsets: ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'],
  },
  { id: 'lora', weights: [400, 700], subsets: ['latin', 'latin-ext', 'cyrillic', 'vietnamese'] },
  { id: 'cinzel', weights: [400, 700], subsets: ['latin', 'latin-ext'] },
  { id: 'inter', weights: [400, 700], subsets: ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'] },
  { id: 'oswald', weights: [400, 700], subsets: ['latin', 'latin-ext', 'cyrillic', 'vietnamese'] },
  { id: 'bebas-neue', weights: [400], subsets: ['latin', 'latin-ext'] },
  { id: 'noto-sans-symbols', weights: [400], subsets: ['symbols'], fallbackOnly: true },
  { id: 'noto-sans-symbols-2', weights: [400], subsets: ['math', 'symbols'], fallbackOnly: true },
  { id: 'noto-sans-hebrew', weights: [400, 700], subsets: ['hebrew'], fallbackOnly: true },
  { id: 'noto-sans-arabic', weights: [400, 700], subsets: ['arabic'], fallbackOnly: true },
  {
    id: 'noto-color-emoji',
    weights: [400],
    // The parts of this family have no COLR table, which is what browsers paint; the whole has.
    subsets: ['emoji'],
    fallbackOnly: true,
    colour: true,
  },
];

const packageDir = (id) => path.join(root, 'node_modules/@fontsource', id);
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The name inside the first line of an OFL text, where metadata has no copyright of its own. */
function copyrightOf(metadata, dir) {
  const attribution = metadata.license?.attribution;
  if (attribution) return attribution;
  return readFileSync(path.join(dir, 'LICENSE'), 'utf8').split('\n')[0].trim();
}

export function buildCatalogue() {
  const families = FAMILIES.map(({ id, weights, subsets, fallbackOnly, colour }) => {
    const dir = packageDir(id);
    const metadata = readJson(path.join(dir, 'metadata.json'));
    const unicode = readJson(path.join(dir, 'unicode.json'));
    const faces = [];
    for (const weight of weights) {
      for (const style of metadata.styles) {
        for (const subset of subsets) {
          const face = `${id}-${subset}-${weight}-${style}`;
          const source = path.join(dir, 'files', `${face}.woff2`);
          if (!existsSync(source)) throw new Error(`${source} is missing: run npm ci in client/`);
          const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 8);
          faces.push({
            id: face,
            weight,
            italic: style === 'italic',
            subset,
            file: `${face}-${hash}.ttf`,
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
  });
  return { families };
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
  const cached = path.join(CACHE, file);
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

/** Writes every face of the committed catalogue into `directory`. */
export async function writeFonts(directory) {
  mkdirSync(directory, { recursive: true });
  for (const family of readJson(CATALOGUE).families) {
    for (const face of family.faces) {
      writeFileSync(path.join(directory, face.file), await readFace({ ...face, family: family.id }));
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(CATALOGUE, `${JSON.stringify(buildCatalogue(), null, 1)}\n`);
  const { families } = buildCatalogue();
  const faces = families.flatMap((family) => family.faces.map((face) => ({ ...face, family: family.id })));
  let bytes = 0;
  for (const face of faces) bytes += (await readFace(face)).length;
  console.log(`${faces.length} faces, ${(bytes / 1e6).toFixed(1)} MB as TrueType`);
}
