/** Largest file taken, in bytes. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Fault in a file, with its position. */
export interface ImportProblem {
  /** Row as a spreadsheet counts: the header is row 1. */
  readonly row?: number;
  /** Column as a spreadsheet counts, from 1. */
  readonly column?: number;
  readonly message: string;
}

/** Offset of the first byte that is not UTF-8, `undefined` when all are. */
export function firstInvalidUtf8(bytes: Uint8Array): number | undefined {
  let i = 0;
  while (i < bytes.length) {
    const length = sequenceLength(bytes, i);
    if (length === 0) return i;
    i += length;
  }
  return undefined;
}

/** Length of the UTF-8 sequence at `i`, 0 when it is not one. */
function sequenceLength(bytes: Uint8Array, i: number): number {
  const lead = bytes[i] ?? 0;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead <= 0xdf
      ? 2
      : lead >= 0xe0 && lead <= 0xef
        ? 3
        : lead >= 0xf0 && lead <= 0xf4
          ? 4
          : 0;
  if (length === 0) return 0;
  for (let k = 1; k < length; k++) {
    const next = bytes[i + k];
    if (next === undefined || next < 0x80 || next > 0xbf) return 0;
  }
  // Overlong forms, surrogates and what lies past the last code point are no characters.
  const second = bytes[i + 1] ?? 0;
  if (lead === 0xe0 && second < 0xa0) return 0;
  if (lead === 0xed && second > 0x9f) return 0;
  if (lead === 0xf0 && second < 0x90) return 0;
  if (lead === 0xf4 && second > 0x8f) return 0;
  return length;
}

/** A file's text, or what keeps it from being text. */
export type Decoded = { text: string } | { invalidAt: number; before: string } | { tooLarge: number };

/** Share of zero bytes at even or odd places from which bytes without a mark are taken for UTF-16. */
const UTF16_SHARE = 0.3;
/** Bytes sampled to detect UTF-16. */
const UTF16_SAMPLE_BYTES = 4_096;

/** The kind of UTF-16 these bytes are, by their mark or by where their zero bytes lie. */
function utf16Kind(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, UTF16_SAMPLE_BYTES);
  let even = 0;
  let odd = 0;
  for (let i = 0; i + 1 < sample.length; i += 2) {
    if (sample[i] === 0) even++;
    if (sample[i + 1] === 0) odd++;
  }
  const pairs = Math.floor(sample.length / 2);
  if (pairs === 0 || bytes.length % 2 !== 0) return undefined;
  if (odd / pairs >= UTF16_SHARE && even === 0) return 'utf-16le';
  return even / pairs >= UTF16_SHARE && odd === 0 ? 'utf-16be' : undefined;
}

function fromUtf16(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const units: string[] = [];
  for (let i = 0; i + 1 < bytes.length; i += 2) {
    units.push(String.fromCharCode(view.getUint16(i, littleEndian)));
  }
  return units.join('').replace(/^\uFEFF/, '');
}

/** Decodes UTF-8 or UTF-16, with or without a byte order mark. */
export function decode(bytes: Uint8Array): Decoded {
  if (bytes.length > MAX_FILE_BYTES) return { tooLarge: bytes.length };
  const kind = utf16Kind(bytes);
  if (kind) return { text: fromUtf16(bytes, kind === 'utf-16le') };
  const invalidAt = firstInvalidUtf8(bytes);
  const decoder = new TextDecoder('utf-8');
  if (invalidAt !== undefined) return { invalidAt, before: decoder.decode(bytes.subarray(0, invalidAt)) };
  return { text: decoder.decode(bytes) };
}
