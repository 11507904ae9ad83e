/** Checksums: CRC-32 of PNG's chunks, Adler-32 of zlib streams. */

const CRC_POLYNOMIAL = 0xedb88320;
/** Tables for four bytes at once, one after the other. */
const TABLES = crcTables();

function crcTables(): Uint32Array {
  const tables = new Uint32Array(4 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
    tables[byte] = crc;
  }
  for (let at = 256; at < tables.length; at++) {
    const before = tables[at - 256] ?? 0;
    tables[at] = (before >>> 8) ^ (tables[before & 255] ?? 0);
  }
  return tables;
}

/** CRC-32 of bytes, as in PNG and ZIP. */
export function crc32(bytes: Uint8Array): number {
  const tables = TABLES;
  let crc = 0xffffffff;
  let at = 0;
  for (const end = bytes.length - 3; at < end; at += 4) {
    crc ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    crc =
      (tables[768 + (crc & 255)] as number) ^
      (tables[512 + ((crc >>> 8) & 255)] as number) ^
      (tables[256 + ((crc >>> 16) & 255)] as number) ^
      (tables[crc >>> 24] as number);
  }
  for (; at < bytes.length; at++) {
    crc = (crc >>> 8) ^ (tables[(crc ^ (bytes[at] as number)) & 255] as number);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const ADLER_MODULUS = 65_521;
/** Pixels summed with two bytes in a number; with more, the sums of sums would overflow into each other. */
const STRIDE = 16;
/** Two bytes of four, each with room above it. */
const PAIR = 0x00ff00ff;

/** Adler-32 of rows that each begin with a filter byte before their pixels. */
export class Adler32 {
  #a = 1;
  #b = 0;

  byte(value: number): void {
    this.#a = (this.#a + value) % ADLER_MODULUS;
    this.#b = (this.#b + this.#a) % ADLER_MODULUS;
  }

  /** The bytes of pixels, lowest first. */
  pixels(values: Int32Array, from: number, to: number): void {
    let a = this.#a;
    let b = this.#b;
    let at = from;
    while (at < to) {
      const end = Math.min(to, at + STRIDE);
      const count = end - at;
      // Bytes 0 and 2, and 1 and 3: their sums, and the sums of those after every pixel but the last.
      let even = 0;
      let odd = 0;
      let evens = 0;
      let odds = 0;
      for (; at < end; at++) {
        const value = values[at] as number;
        evens += even;
        odds += odd;
        even += value & PAIR;
        odd += (value >>> 8) & PAIR;
      }
      const first = even & 0xffff;
      const second = odd & 0xffff;
      const third = even >>> 16;
      const fourth = odd >>> 16;
      const before = (evens & 0xffff) + (evens >>> 16) + (odds & 0xffff) + (odds >>> 16);
      b += 4 * count * a + 4 * before + 4 * first + 3 * second + 2 * third + fourth;
      a += first + second + third + fourth;
      a %= ADLER_MODULUS;
      b %= ADLER_MODULUS;
    }
    this.#a = a;
    this.#b = b;
  }

  get value(): number {
    return ((this.#b << 16) | this.#a) >>> 0;
  }
}
