import { TranslationError } from '../../translation/error.ts';
import { MAX_UNIT } from '../../translation/pieces.ts';
import { faultWords, placeholderFaults } from '../../translation/placeholders.ts';
import { LIMITS } from '../document/limits.ts';
import type { Inline } from '../document/schema.ts';
import { readNotation, writeNotation, writtenPieces } from './notation.ts';

/** Reads a text within the limits of a block. @throws TranslationError naming the fault */
function boundedNotation(text: string): Inline[] {
  if (text.trim() === '') throw new TranslationError('A translation cannot be empty: write something.');
  if (text.length > MAX_UNIT) {
    throw new TranslationError(
      `A translated text has at most ${MAX_UNIT} characters; this one has ${text.length}.`,
    );
  }
  const read = readNotation(text);
  if (read.length > LIMITS.inlines) {
    throw new TranslationError(`A text has at most ${LIMITS.inlines} pieces; this one has ${read.length}.`);
  }
  return read;
}

/**
 * A translation as it is stored: read, compared with its source and written again.
 * @throws TranslationError naming all that is wrong with its placeholders
 */
export function checkedNotation(source: string, text: string): string {
  return writeNotation(fittingNotation(readNotation(source), text));
}

/**
 * Reads a translation of a source.
 * @throws TranslationError naming all that is wrong with its placeholders
 */
export function fittingNotation(source: readonly Inline[], text: string): Inline[] {
  const read = boundedNotation(text);
  const faults = placeholderFaults(writtenPieces(source), writtenPieces(read));
  if (faults.length > 0) throw new TranslationError(faults.map(faultWords).join(' '));
  return read;
}
