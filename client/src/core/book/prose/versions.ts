import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Node as ProseNode } from 'prosemirror-model';
import { isDeeperThan } from '../../json-depth.ts';
import { RulebookError } from '../document/error.ts';
import { proseSchema } from './schema.ts';
import { checkDoc, MAX_JSON_DEPTH } from './steps.ts';

/**
 * A version is the text as a step left it. A rulebook is opened from its newest version and the steps after it, so the
 * stored document has to be the very one that the steps make: its ids are not given anew, as those of `Rulebook` are.
 */

/** A version is kept by itself whenever so many steps have come since the last. */
export const VERSION_EVERY = 200;
/** Longest stored version, in bytes of UTF-8: a document of the database holds 1 MiB. */
export const MAX_VERSION_BYTES = 900_000;

/** The hash of no steps. */
export const NO_STEPS = '';

/** The hash of the steps up to one, from that of the steps before it: SHA-256 in hexadecimal digits. */
export function hashAfter(hash: string, number: number, step: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(`${hash}\n${number}\n${step}`)));
}

/** @throws RulebookError when it is too long to be stored */
export function writeVersion(doc: ProseNode): string {
  const text = JSON.stringify(doc.toJSON());
  const { length } = new TextEncoder().encode(text);
  if (length > MAX_VERSION_BYTES) {
    throw new RulebookError(
      `The text has ${length} bytes and a version ${MAX_VERSION_BYTES} at most: divide the rulebook in two.`,
    );
  }
  return text;
}

/** The document of a stored version. @throws RulebookError when it is none that steps could have left */
export function readVersion(text: string): ProseNode {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RulebookError('The version is not JSON.');
  }
  // A deeper document would exhaust the stack.
  if (isDeeperThan(value, MAX_JSON_DEPTH)) throw new RulebookError('The version is nested too deep.');
  try {
    const doc = proseSchema.nodeFromJSON(value);
    if (doc.type !== proseSchema.topNodeType) throw new RulebookError('It is not a complete text.');
    checkDoc(doc);
    return doc;
  } catch (error) {
    throw new RulebookError(error instanceof Error ? error.message : 'The version cannot be read.');
  }
}
