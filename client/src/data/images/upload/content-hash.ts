import { toHex } from '../../../core/hex.ts';

/** SHA-256 of a file, in hexadecimal. Browsers lend theirs to secure origins only; others get one of ours. */
export async function contentHash(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = globalThis.crypto?.subtle
    ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    : (await import('@noble/hashes/sha2.js')).sha256(bytes);
  return toHex(digest);
}
