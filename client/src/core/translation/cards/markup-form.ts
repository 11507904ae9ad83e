import type { MarkupContext } from '../../text/markup/braces.ts';
import { TranslationError } from '../error.ts';
import { type Piece, rawText } from '../pieces.ts';
import { faultWords, placeholderFaults } from '../placeholders.ts';
import type { TextForm } from '../unit.ts';
import { markupPieces } from './markup-pieces.ts';

/** Card text: it is stored as it is written, and everything in it but words has to come back. */
export function markupForm(context: MarkupContext): TextForm {
  const pieces = (text: string): Piece[] => markupPieces(text, context);
  return {
    written: pieces,
    pieces,
    write: rawText,
    check: (source, text, most) => {
      if (text.trim() === '') {
        throw new TranslationError('A translation cannot be empty: write something.');
      }
      if (text.length > most) {
        throw new TranslationError(
          `A translated text has at most ${most} characters; this one has ${text.length}.`,
        );
      }
      const faults = placeholderFaults(pieces(source), pieces(text));
      if (faults.length > 0) throw new TranslationError(faults.map(faultWords).join(' '));
      return text;
    },
  };
}
