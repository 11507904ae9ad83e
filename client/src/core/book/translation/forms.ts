import { TranslationError } from '../../translation/error.ts';
import { type Piece as GeneralPiece, linePieces } from '../../translation/pieces.ts';
import type { TextForm } from '../../translation/unit.ts';
import { LIMITS } from '../document/limits.ts';
import { inlinesOf, type Piece, piecesIn, readNotation, writeNotation, writtenPieces } from './notation.ts';
import { checkedNotation } from './placeholders.ts';

/** The text of a block, with everything that can stand in one. */
export const NOTATION: TextForm = {
  written: piecesIn,
  pieces: (text) => writtenPieces(readNotation(text)),
  write: (pieces) => writeNotation(inlinesOf(pieces.map(known))),
  check: checkedNotation,
};

/** A placeholder of a file as one of a rulebook. @throws TranslationError for one that it does not have */
function known(piece: GeneralPiece): Piece {
  if (piece.kind === 'words' || piece.kind === 'break') return piece;
  const [found, more] = piecesIn(piece.token);
  if (found?.kind === piece.kind && !more) return found;
  throw new TranslationError(
    `“${piece.token.slice(0, 60)}” is not a placeholder of a rulebook, or stands where it cannot.`,
  );
}

const plainForm = (severalLines: boolean): TextForm => ({
  written: (text) => (text === '' ? [] : [{ kind: 'words', text }]),
  pieces: linePieces,
  write: plainWords,
  check: (_, text, most) => checkedLines(text, severalLines, most),
});

/** A line of plain words, and several of them. */
export const LINE = plainForm(false);
export const LINES = plainForm(true);

/** @throws TranslationError for placeholders */
function plainWords(pieces: readonly GeneralPiece[]): string {
  return pieces
    .map((piece) => {
      if (piece.kind === 'break') return '\n';
      if (piece.kind === 'words') return piece.text;
      throw new TranslationError(`${piece.token} cannot stand in this text: it has no placeholders.`);
    })
    .join('');
}

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** @throws TranslationError naming the line that is too long */
export function checkedLines(text: string, severalLines: boolean, most: number): string {
  const lines = severalLines ? linesOf(text) : [text.replace(/\s*[\n\r]\s*/g, ' ').trim()];
  if (lines.join('') === '') {
    throw new TranslationError('A translation cannot be empty: write something.');
  }
  const longest = severalLines ? LIMITS.title : most;
  const long = lines.find((line) => line.length > longest);
  if (long !== undefined) {
    throw new TranslationError(`“${long.slice(0, 30)}…” has more than ${longest} characters: shorten it.`);
  }
  if (lines.length > LIMITS.names) {
    throw new TranslationError(`A term has at most ${LIMITS.names} forms; these are ${lines.length}.`);
  }
  return lines.join('\n');
}
