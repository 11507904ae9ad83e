import { Adler32 } from './checksums.ts';
import { codeLengths, codesOf, MAX_CODE_BITS } from './huffman.ts';
import { type Matches, MatchFinder } from './matches.ts';

/**
 * Packs filtered rows of pixels as a zlib stream (RFC 1950, 1951). It is specialised for pixels: matches are whole
 * pixels, and literals are written four at a time. That makes it several times faster than a general compressor.
 */

/** Approximate number of pixels that share a block's codes. */
const BLOCK_PIXELS = 65_536;
const END_OF_BLOCK = 256;
const LENGTH_CODES = 257;
const LITERALS = 286;
const DISTANCES = 30;
/** Longest code for the lengths of codes, in bits. */
const MAX_LENGTH_CODE_BITS = 7;
/** Order in which the lengths of the codes for lengths are written. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** Room for the codes of a block, in bytes. */
const MAX_HEADER_BYTES = 512;

const LENGTHS = lengthTable();
const DISTANCE_BASES = distanceBases();

/** By length in bytes: symbol, number of extra bits, and their value. */
function lengthTable(): Uint32Array {
  const table = new Uint32Array(259);
  for (let code = 0, length = 3; code < 28; code++) {
    const extra = code < 8 ? 0 : (code >> 2) - 1;
    for (let more = 0; more < 1 << extra; more++) {
      table[length++] = (LENGTH_CODES + code) | (extra << 9) | (more << 12);
    }
  }
  table[258] = LENGTH_CODES + 28;
  return table;
}

function distanceBases(): Uint32Array {
  const bases = new Uint32Array(DISTANCES);
  for (let code = 0, base = 1; code < DISTANCES; code++) {
    bases[code] = base;
    base += 1 << extraOfDistance(code);
  }
  return bases;
}

function extraOfDistance(code: number): number {
  return code < 4 ? 0 : (code >> 1) - 1;
}

function distanceCode(distance: number): number {
  const from = distance - 1;
  if (from < 4) return from;
  const top = 31 - Math.clz32(from);
  return 2 * top + ((from >>> (top - 1)) & 1);
}

/** Symbols of one block. */
interface Block {
  readonly firstRow: number;
  readonly endRow: number;
  readonly matches: Matches;
}

/** Compresses strips of rows, in order. */
export class RowPacker {
  readonly #width: number;
  readonly #out: BitWriter;
  readonly #sum = new Adler32();

  /** @param bytes expected size of the output */
  constructor(width: number, bytes: number) {
    this.#width = width;
    this.#out = new BitWriter(Math.max(1_024, bytes));
    this.#out.bits(0x78, 8);
    this.#out.bits(0x01, 8);
  }

  /**
   * @param pixels differences, four bytes in one number
   * @param filters what each row begins with
   * @param last no strip follows
   */
  add(pixels: Int32Array, filters: Uint8Array, last: boolean): void {
    const width = this.#width;
    const rows = filters.length;
    const rowsPerBlock = Math.max(1, Math.floor(BLOCK_PIXELS / width));
    const finder = new MatchFinder(pixels, width);
    const matches: Matches = {
      values: new Int32Array(3 * (1 + Math.ceil((rowsPerBlock * width) / 2))),
      count: 0,
    };
    for (let firstRow = 0; firstRow < rows; firstRow += rowsPerBlock) {
      const endRow = Math.min(rows, firstRow + rowsPerBlock);
      finder.find(firstRow, endRow, matches);
      writeBlock(this.#out, pixels, width, filters, { firstRow, endRow, matches }, last && endRow === rows);
    }
    for (let row = 0; row < rows; row++) {
      this.#sum.byte(filters[row] as number);
      this.#sum.pixels(pixels, row * width, (row + 1) * width);
    }
  }

  /** The whole stream; no more rows can be added. */
  done(): Uint8Array {
    this.#out.toByte();
    for (let shift = 24; shift >= 0; shift -= 8) this.#out.bits((this.#sum.value >>> shift) & 255, 8);
    return this.#out.done();
  }
}

function writeBlock(
  out: BitWriter,
  pixels: Int32Array,
  width: number,
  filters: Uint8Array,
  block: Block,
  last: boolean,
): void {
  const { firstRow, endRow, matches } = block;
  const literals = new Uint32Array(LITERALS);
  const distances = new Uint32Array(DISTANCES);
  count(pixels, width, filters, block, literals, distances);
  const literalLengths = codeLengths(literals, MAX_CODE_BITS);
  const distanceLengths = codeLengths(distances, MAX_CODE_BITS);
  out.room(MAX_HEADER_BYTES + Math.ceil(((endRow - firstRow) * (4 * width + 1) * MAX_CODE_BITS) / 8));
  out.bits(last ? 1 : 0, 1);
  out.bits(2, 2);
  writeCodes(out, literalLengths, distanceLengths);
  const codes = packed(literalLengths);
  const far = packed(distanceLengths);
  const { values } = matches;
  let match = 0;
  for (let row = firstRow; row < endRow; row++) {
    const end = (row + 1) * width;
    out.code(codes[filters[row] as number] as number);
    for (let at = row * width; at < end; ) {
      const next = match < matches.count ? Math.min(end, values[match] as number) : end;
      out.pixels(pixels, at, next, codes);
      at = next;
      if (at === end) break;
      const length = LENGTHS[4 * (values[match + 1] as number)] as number;
      out.code(codes[length & 511] as number);
      out.bits(length >>> 12, (length >>> 9) & 7);
      const distance = values[match + 2] as number;
      const code = distanceCode(distance);
      out.code(far[code] as number);
      out.bits(distance - (DISTANCE_BASES[code] as number), extraOfDistance(code));
      at += values[match + 1] as number;
      match += 3;
    }
  }
  out.code(codes[END_OF_BLOCK] as number);
}

function count(
  pixels: Int32Array,
  width: number,
  filters: Uint8Array,
  { firstRow, endRow, matches }: Block,
  literals: Uint32Array,
  distances: Uint32Array,
): void {
  // A table for each channel: incrementing one counter twice in a row would stall.
  const tables = new Uint32Array(4 * 256);
  const { values } = matches;
  let at = firstRow * width;
  const countTo = (end: number): void => {
    for (; at < end; at++) {
      const value = pixels[at] as number;
      const r = value & 255;
      const g = 256 + ((value >>> 8) & 255);
      const b = 512 + ((value >>> 16) & 255);
      const a = 768 + (value >>> 24);
      tables[r] = (tables[r] as number) + 1;
      tables[g] = (tables[g] as number) + 1;
      tables[b] = (tables[b] as number) + 1;
      tables[a] = (tables[a] as number) + 1;
    }
  };
  const raise = (table: Uint32Array, symbol: number): void => {
    table[symbol] = (table[symbol] as number) + 1;
  };
  for (let match = 0; match < matches.count; match += 3) {
    countTo(values[match] as number);
    at += values[match + 1] as number;
    raise(literals, (LENGTHS[4 * (values[match + 1] as number)] as number) & 511);
    raise(distances, distanceCode(values[match + 2] as number));
  }
  countTo(endRow * width);
  for (let symbol = 0; symbol < 256; symbol++) {
    literals[symbol] =
      (tables[symbol] as number) +
      (tables[256 + symbol] as number) +
      (tables[512 + symbol] as number) +
      (tables[768 + symbol] as number);
  }
  for (let row = firstRow; row < endRow; row++) raise(literals, filters[row] as number);
  raise(literals, END_OF_BLOCK);
}

/** Codes with their lengths in the upper bits. */
function packed(lengths: Uint8Array): Int32Array {
  const codes = codesOf(lengths);
  for (let symbol = 0; symbol < codes.length; symbol++) {
    codes[symbol] = (codes[symbol] as number) | ((lengths[symbol] as number) << 16);
  }
  return codes;
}

/** Writes the codes of a block as their lengths, run-length encoded. */
function writeCodes(out: BitWriter, literals: Uint8Array, distances: Uint8Array): void {
  const used = (lengths: Uint8Array, least: number): number => {
    let length = lengths.length;
    while (length > least && lengths[length - 1] === 0) length--;
    return length;
  };
  const [literalCount, distanceCount] = [used(literals, 257), used(distances, 1)];
  const lengths = [...literals.subarray(0, literalCount), ...distances.subarray(0, distanceCount)];
  const runs = runsOf(lengths);
  const frequencies = new Uint32Array(19);
  for (const { symbol } of runs) frequencies[symbol] = (frequencies[symbol] as number) + 1;
  const ownLengths = codeLengths(frequencies, MAX_LENGTH_CODE_BITS);
  const own = packed(ownLengths);
  let shown = LENGTH_ORDER.length;
  while (shown > 4 && ownLengths[LENGTH_ORDER[shown - 1] as number] === 0) shown--;
  out.bits(literalCount - 257, 5);
  out.bits(distanceCount - 1, 5);
  out.bits(shown - 4, 4);
  for (const symbol of LENGTH_ORDER.slice(0, shown)) out.bits(ownLengths[symbol] as number, 3);
  for (const { symbol, more, bits } of runs) {
    out.code(own[symbol] as number);
    out.bits(more, bits);
  }
}

interface Run {
  readonly symbol: number;
  /** Extra bits after the symbol, and their number. */
  readonly more: number;
  readonly bits: number;
}

/** Symbols 16 to 18 of deflate: repeat the previous length 3 to 6 times, or no code 3 to 10 or 11 to 138 times. */
function runsOf(lengths: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at] as number;
    let times = 1;
    while (lengths[at + times] === length) times++;
    at += times;
    if (length === 0) {
      for (; times >= 11; times -= Math.min(times, 138)) {
        runs.push({ symbol: 18, more: Math.min(times, 138) - 11, bits: 7 });
      }
      if (times >= 3) {
        runs.push({ symbol: 17, more: times - 3, bits: 3 });
        times = 0;
      }
    } else {
      runs.push({ symbol: length, more: 0, bits: 0 });
      for (times--; times >= 3; times -= Math.min(times, 6)) {
        runs.push({ symbol: 16, more: Math.min(times, 6) - 3, bits: 2 });
      }
    }
    for (; times > 0; times--) runs.push({ symbol: length, more: 0, bits: 0 });
  }
  return runs;
}

/** Writes bits, least significant first. */
class BitWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #at = 0;
  /** Bits not written yet: fewer than eight between calls. */
  #held = 0;
  #count = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Makes room for so many more bytes. */
  room(bytes: number): void {
    // Whole words are written, of which only the first bytes count.
    const needed = this.#at + bytes + 8;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  /** @param count 16 at most */
  bits(value: number, count: number): void {
    this.#held |= value << this.#count;
    this.#count += count;
    this.#flush();
  }

  /** A code with its length in the upper bits. */
  code(code: number): void {
    this.bits(code & 0xffff, code >>> 16);
  }

  #flush(): void {
    this.#view.setUint32(this.#at, this.#held, true);
    this.#at += this.#count >>> 3;
    this.#held >>>= this.#count & 24;
    this.#count &= 7;
  }

  /** The four bytes of each pixel. */
  pixels(values: Int32Array, from: number, to: number, codes: Int32Array): void {
    const view = this.#view;
    let [at, held, count] = [this.#at, this.#held, this.#count];
    for (let index = from; index < to; index++) {
      const value = values[index] as number;
      const r = codes[value & 255] as number;
      const g = codes[(value >>> 8) & 255] as number;
      held |= (r & 0xffff) << count;
      count += r >>> 16;
      held |= (g & 0xffff) << count;
      count += g >>> 16;
      view.setUint32(at, held, true);
      at += count >>> 3;
      held >>>= count & 24;
      count &= 7;
      const b = codes[(value >>> 16) & 255] as number;
      const a = codes[value >>> 24] as number;
      held |= (b & 0xffff) << count;
      count += b >>> 16;
      held |= (a & 0xffff) << count;
      count += a >>> 16;
      view.setUint32(at, held, true);
      at += count >>> 3;
      held >>>= count & 24;
      count &= 7;
    }
    this.#at = at;
    this.#held = held;
    this.#count = count;
  }

  /** Pads to the next whole byte. */
  toByte(): void {
    if (this.#count > 0) this.bits(0, 8 - this.#count);
  }

  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }
}
