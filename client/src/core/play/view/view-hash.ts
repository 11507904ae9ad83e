import type { Json } from '../../archive/bundle.ts';
import { canonicalJson } from '../../archive/stable-json.ts';
import type { Handle, Shown } from '../protocol/messages.ts';

/** Offset and prime of the 32-bit hash FNV-1a. */
const [OFFSET, PRIME] = [0x811c9dc5, 0x01000193];

/**
 * The hash by which a client finds that its view is not the server's (`functions-host/table/src/view/shown.rs`): each
 * handle, in the order of their texts, followed by its piece as JSON without spaces and with sorted keys.
 */
export function viewHash(pieces: ReadonlyMap<Handle, Shown>): number {
  const encoder = new TextEncoder();
  let hash = OFFSET;
  for (const handle of [...pieces.keys()].sort()) {
    for (const byte of encoder.encode(handle + canonicalJson(pieces.get(handle) as unknown as Json))) {
      hash = Math.imul(hash ^ byte, PRIME);
    }
  }
  return hash >>> 0;
}
