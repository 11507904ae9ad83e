/** An authenticator app (RFC 6238: SHA-1, six digits, thirty seconds), as a phone has one. */

import { createHmac } from 'node:crypto';

const PERIOD_MS = 30_000;
/** Longest time from showing a code until the server has it, in milliseconds. */
const ON_ITS_WAY_MS = 5_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(key: string): Buffer {
  let bits = '';
  for (const letter of key.replaceAll(' ', '')) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

function codeAt(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const sum = createHmac('sha1', key).update(counter).digest();
  const at = (sum.at(-1) ?? 0) & 15;
  return String((sum.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** Codes of one key. A server takes each once, and clocks may be a period off: three codes can be had at any moment. */
export class Authenticator {
  readonly #key: Buffer;
  #last = 0;

  constructor(key: string) {
    this.#key = bytesOf(key);
  }

  /** The earliest code that was not used yet and that the server takes until it has come there. */
  next(): string {
    const earliest = Math.floor((Date.now() + ON_ITS_WAY_MS) / PERIOD_MS) - 1;
    this.#last = Math.max(this.#last + 1, earliest);
    return codeAt(this.#key, this.#last);
  }

  /** A code of long ago. */
  old(): string {
    return codeAt(this.#key, this.#last - 1_000);
  }
}
