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
