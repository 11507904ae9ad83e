import type { Piece } from './pieces.ts';

/** The form of a text: how words and placeholders stand in it, and what a translation has to keep. */
export interface TextForm {
  /** The pieces of a text as somebody wrote it: what makes no placeholder is words. */
  readonly written: (text: string) => readonly Piece[];
  /** The pieces of a text as it is stored. @throws TranslationError where it is none */
  readonly pieces: (text: string) => readonly Piece[];
  /** A text of pieces, as it is stored. @throws TranslationError naming what cannot stand in it */
  readonly write: (pieces: readonly Piece[]) => string;
  /**
   * A translation as it is stored.
   * @param most characters that it may have
   * @throws TranslationError naming all that is wrong with it
   */
  readonly check: (source: string, text: string, most: number) => string;
}

/** A text that is translated by itself. */
export interface Unit {
  /** Of its place and its part, such as `b12.text`; it fits XLIFF and the database. */
  readonly id: string;
  /** Id of what it stands in, such as a block or a card. */
  readonly place: string;
  /** Heading above the texts of a place; none where they need none. */
  readonly heading?: string | undefined;
  /** The kind of text in words, such as `Table, row 2, column 3`. */
  readonly label: string;
  readonly form: TextForm;
  readonly source: string;
  /** Most characters of a line. */
  readonly most: number;
}
