/**
 * A fingerprint of a text: 53 bits, enough to tell tens of thousands of cards apart (two of them
 * alike by chance: about one in a hundred million), not a protection against anybody.
 * Two multiplicative hashes over UTF-16 units, mixed at the end.
 */
export function fingerprint(text: string): string {
  let a = 0x2f6b1d4d;
  let b = 0x5bd1e995;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x85ebca6b);
    b = Math.imul(b ^ unit, 0xc2b2ae35);
    a = (a << 13) | (a >>> 19);
  }
  a = Math.imul(a ^ (a >>> 16), 0x7feb352d) ^ Math.imul(b ^ (b >>> 15), 0x846ca68b);
  b = Math.imul(b ^ (b >>> 16), 0x7feb352d) ^ Math.imul(a ^ (a >>> 15), 0x846ca68b);
  return (4294967296 * (0x1fffff & b) + (a >>> 0)).toString(36).padStart(11, '0');
}

/** A fingerprint of a file's bytes. */
export function bytesFingerprint(bytes: Uint8Array): string {
  let a = 0x2f6b1d4d ^ bytes.length;
  let b = 0x5bd1e995;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b);
    b = (b << 13) | (b >>> 19);
  }
  return `${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}

const NUMBER = new Float64Array(1);
const WORDS = new Uint32Array(NUMBER.buffer);

/** Hashes what JSON holds, without the text that it would be. */
class ValueHash {
  #a = 0x2f6b1d4d;
  #b = 0x5bd1e995;

  word(word: number): void {
    this.#a = Math.imul(this.#a ^ word, 0x85ebca6b);
    this.#b = Math.imul(this.#b ^ word, 0xc2b2ae35);
    this.#a = (this.#a << 13) | (this.#a >>> 19);
    this.#b ^= this.#b >>> 15;
  }

  text(text: string): void {
    this.word(text.length);
    for (let index = 0; index < text.length; index++) this.word(text.charCodeAt(index));
  }

  /** Each kind begins with a word of its own, so that `1` and `'1'`, or a list and a record, differ. */
  value(value: unknown): void {
    if (typeof value === 'number') {
      this.word(1);
      // Zero has two signs, and one picture.
      NUMBER[0] = value + 0;
      this.word(WORDS[0] ?? 0);
      this.word(WORDS[1] ?? 0);
    } else if (typeof value === 'string') {
      this.word(2);
      this.text(value);
    } else if (Array.isArray(value)) {
      this.word(3);
      this.word(value.length);
      for (const one of value) this.value(one);
    } else if (typeof value === 'object' && value !== null) {
      this.word(4);
      for (const key in value) {
        const one = (value as Readonly<Record<string, unknown>>)[key];
        if (one === undefined) continue;
        this.text(key);
        this.value(one);
      }
      this.word(5);
    } else this.word(value === true ? 6 : value === false ? 7 : 8);
  }

  get digits(): string {
    return `${(this.#a >>> 0).toString(36)}.${(this.#b >>> 0).toString(36)}`;
  }
}

/**
 * A fingerprint of a value of JSON whose records have their fields in one order: 64 bits, as weak against others as the
 * fingerprint of its text.
 */
export function valueFingerprint(value: unknown): string {
  const hash = new ValueHash();
  hash.value(value);
  return hash.digits;
}
