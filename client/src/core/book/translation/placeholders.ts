import { RulebookError } from '../document/error.ts';
import { LIMITS } from '../document/limits.ts';
import type { Inline } from '../document/schema.ts';
import {
  closingToken,
  MAX_UNIT,
  type Piece,
  readNotation,
  writeNotation,
  writtenPieces,
} from './notation.ts';

/** A fault of a translation: the placeholder, and where it stands or is missing. */
export interface PlaceholderFault {
  readonly fault: 'lost' | 'extra';
  readonly token: string;
  /** Words beside it, in the source for a lost one. */
  readonly near: string;
}

/** Words shown beside a placeholder, in characters. */
const NEAR = 24;

interface Held {
  readonly token: string;
  readonly near: string;
}

/** The placeholders of a text, each with the words after it, or before it at the end. */
function held(pieces: readonly Piece[]): Held[] {
  const wordsFrom = (list: readonly Piece[]): string | undefined =>
    list.flatMap((piece) =>
      piece.kind === 'words' && piece.text.trim() !== '' ? [piece.text.trim()] : [],
    )[0];
  return pieces.flatMap((piece, at) => {
    if (piece.kind !== 'single' && piece.kind !== 'open') return [];
    const after = wordsFrom(pieces.slice(at + 1));
    const before = after === undefined ? wordsFrom(pieces.slice(0, at).reverse()) : undefined;
    return [{ token: piece.token, near: after?.slice(0, NEAR) ?? before?.slice(-NEAR) ?? '' }];
  });
}

/** Placeholders of the source that a translation has not, and those that it has too many. */
export function placeholderFaults(source: readonly Inline[], text: readonly Inline[]): PlaceholderFault[] {
  const wanted = held(writtenPieces(source));
  const extra: PlaceholderFault[] = [];
  for (const one of held(writtenPieces(text))) {
    const at = wanted.findIndex(({ token }) => token === one.token);
    if (at >= 0) wanted.splice(at, 1);
    else extra.push({ fault: 'extra', ...one });
  }
  return [...wanted.map((one): PlaceholderFault => ({ fault: 'lost', ...one })), ...extra];
}

/** A fault in a sentence. */
export function faultWords({ fault, token, near }: PlaceholderFault): string {
  const place = near === '' ? '' : ` beside “${near}”`;
  const pair = token.startsWith('<') ? `${token}…${closingToken(token)}` : token;
  return fault === 'lost'
    ? `The placeholder ${pair} of the source${place} is missing.`
    : `The placeholder ${pair}${place} is not in the source, or is in it less often.`;
}

/** Reads a text within the limits of a block. @throws RulebookError naming the fault */
function boundedNotation(text: string): Inline[] {
  if (text.trim() === '') throw new RulebookError('A translation cannot be empty: write something.');
  if (text.length > MAX_UNIT) {
    throw new RulebookError(
      `A translated text has at most ${MAX_UNIT} characters; this one has ${text.length}.`,
    );
  }
  const read = readNotation(text);
  if (read.length > LIMITS.inlines) {
    throw new RulebookError(`A text has at most ${LIMITS.inlines} pieces; this one has ${read.length}.`);
  }
  return read;
}

/**
 * A translation as it is stored: read, compared with its source and written again.
 * @throws RulebookError naming all that is wrong with its placeholders
 */
export function checkedNotation(source: string, text: string): string {
  return writeNotation(fittingNotation(readNotation(source), text));
}

/**
 * Reads a translation of a source.
 * @throws RulebookError naming all that is wrong with its placeholders
 */
export function fittingNotation(source: readonly Inline[], text: string): Inline[] {
  const read = boundedNotation(text);
  const faults = placeholderFaults(source, read);
  if (faults.length > 0) throw new RulebookError(faults.map(faultWords).join(' '));
  return read;
}
