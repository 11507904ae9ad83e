import { decompress } from 'brotli/decompress';
import { type Glyphs, readGlyphs } from './glyphs.ts';
import { Reader } from './reader.ts';

/** First bytes of a WOFF 2 file. */
const SIGNATURE = 0x774f4632;
const COLLECTION = 0x74746366;
/** Largest font once unpacked, in bytes. */
export const MAX_UNPACKED_BYTES = 80 * 1024 * 1024;

/** Tags that the directory writes as a number. */
const TAGS =
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
    .split(' ')
    .map((tag) => tag.replace('_', ' '));
const OWN_TAG = 63;

interface Entry {
  readonly tag: string;
  readonly transform: number;
  /** Its bytes among the unpacked data. */
  readonly size: number;
}

export function isWoff2(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && new Reader(bytes).u32() === SIGNATURE;
}

/**
 * The font as HarfBuzz and PDF read it: TrueType or OpenType tables, unpacked from WOFF 2 where necessary. (Decoders
 * compiled from C++ build functions from text, which the page's security policy forbids.)
 * @throws RangeError when the file is damaged, or too large once unpacked
 */
export function fontBytes(bytes: Uint8Array): Uint8Array {
  return isWoff2(bytes) ? unpack(bytes) : bytes;
}

function unpack(bytes: Uint8Array): Uint8Array {
  const file = new Reader(bytes);
  file.u32();
  const flavour = file.u32();
  if (flavour === COLLECTION) throw new RangeError('A collection of fonts.');
  file.u32();
  const count = file.u16();
  file.at = 20;
  const packed = file.u32();
  file.at = 48;
  const entries = Array.from({ length: count }, () => readEntry(file));
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (size > MAX_UNPACKED_BYTES) throw new RangeError('Too large once unpacked.');
  const data = new Reader(decompress(file.bytes(packed), size));
  const tables = new Map<string, Uint8Array>();
  const transformed = new Map<string, number>();
  for (const { tag, transform, size: length } of entries) {
    tables.set(tag, data.bytes(length));
    transformed.set(tag, transform);
  }
  let glyphs: Glyphs | undefined;
  const glyf = tables.get('glyf');
  if (glyf && transformed.get('glyf') === 0) {
    glyphs = readGlyphs(glyf);
    tables.set('glyf', glyphs.glyf);
    tables.set('loca', glyphs.loca);
    tables.set('head', withLongOffsets(need(tables, 'head')));
  }
  if (transformed.get('hmtx') === 1) {
    tables.set('hmtx', readMetrics(need(tables, 'hmtx'), need(tables, 'hhea'), glyphs));
  }
  return join(flavour, tables);
}

function readEntry(file: Reader): Entry {
  const flags = file.u8();
  const known = flags & 0x3f;
  const tag = known === OWN_TAG ? String.fromCharCode(...file.bytes(4)) : (TAGS[known] ?? '');
  const transform = flags >> 6;
  const length = file.base128();
  // Glyphs are transformed unless it says 3, other tables unless it says 0.
  const outlines = tag === 'glyf' || tag === 'loca';
  const size = (outlines ? transform !== 3 : transform !== 0) ? file.base128() : length;
  if (tag === 'loca' && transform === 0 && size !== 0) throw new RangeError('loca is not empty.');
  return { tag, transform, size };
}

function need(tables: ReadonlyMap<string, Uint8Array>, tag: string): Uint8Array {
  const table = tables.get(tag);
  if (!table) throw new RangeError(`The table ${tag} is missing.`);
  return table;
}

function withLongOffsets(head: Uint8Array): Uint8Array {
  const copy = head.slice();
  new DataView(copy.buffer).setInt16(50, 1);
  return copy;
}

/** Advances and left bearings; bearings that equal the glyph's left edge are left out of the file. */
function readMetrics(packed: Uint8Array, hhea: Uint8Array, glyphs: Glyphs | undefined): Uint8Array {
  if (!glyphs) throw new RangeError('Metrics without glyphs.');
  const { lefts } = glyphs;
  const wide = new DataView(hhea.buffer, hhea.byteOffset, hhea.byteLength).getUint16(34);
  if (wide === 0 || wide > lefts.length) throw new RangeError('Wrong number of advances.');
  const data = new Reader(packed);
  const flags = data.u8();
  const advances = Array.from({ length: wide }, () => data.u16());
  const bearings = Array.from(lefts, (left, glyph) =>
    (glyph < wide ? flags & 1 : flags & 2) ? left : data.i16(),
  );
  const out = new DataView(new ArrayBuffer(4 * wide + 2 * (lefts.length - wide)));
  for (const [glyph, bearing] of bearings.entries()) {
    if (glyph < wide) out.setUint16(4 * glyph, advances[glyph] ?? 0);
    out.setInt16(glyph < wide ? 4 * glyph + 2 : 4 * wide + 2 * (glyph - wide), bearing);
  }
  return new Uint8Array(out.buffer);
}

/** A font file of these tables, in the order of their tags, with checksums. */
function join(flavour: number, tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const padded = (size: number): number => (size + 3) & ~3;
  const start = 12 + 16 * sorted.length;
  const out = new Uint8Array(sorted.reduce((sum, [, table]) => sum + padded(table.length), start));
  const view = new DataView(out.buffer);
  const power = 2 ** Math.floor(Math.log2(Math.max(1, sorted.length)));
  view.setUint32(0, flavour);
  view.setUint16(4, sorted.length);
  view.setUint16(6, power * 16);
  view.setUint16(8, Math.log2(power));
  view.setUint16(10, (sorted.length - power) * 16);
  let offset = start;
  for (const [index, [tag, table]] of sorted.entries()) {
    out.set(table, offset);
    const entry = 12 + 16 * index;
    for (let at = 0; at < 4; at++) out[entry + at] = tag.charCodeAt(at);
    let sum = 0;
    for (let at = 0; at < padded(table.length); at += 4) sum = (sum + view.getUint32(offset + at)) >>> 0;
    view.setUint32(entry + 4, sum);
    view.setUint32(entry + 8, offset);
    view.setUint32(entry + 12, table.length);
    offset += padded(table.length);
  }
  return out;
}
