/**
 * SHA-256 and HMAC, worked out here: the browser's own are there on secure pages alone, and many servers of a home have
 * none.
 */

/** Bytes of a block, and of a hash. */
const [BLOCK, HASH] = [64, 32];

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of square roots. */
const primes: number[] = [];
for (let candidate = 2; primes.length < 64; candidate += 1) {
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
}
const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
const ROUNDS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(state: Int32Array, words: Int32Array): void {
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [words[at - 15] ?? 0, words[at - 2] ?? 0];
    const s0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const s1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = ((words[at - 16] ?? 0) + s0 + (words[at - 7] ?? 0) + s1) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[at] ?? 0) + (words[at] ?? 0)) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = ((state[at] ?? 0) + word) | 0;
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let from = 0; from < padded.length; from += BLOCK) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getInt32(from + 4 * at);
    compress(state, words);
  }
  const hash = new DataView(new ArrayBuffer(HASH));
  for (const [at, word] of state.entries()) hash.setInt32(4 * at, word);
  return new Uint8Array(hash.buffer);
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}
