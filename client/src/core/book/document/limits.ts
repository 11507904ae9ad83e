/** Limits of one rulebook. */
export const LIMITS = {
  /** Blocks, those inside others counted. */
  blocks: 20_000,
  /** Inlines of one block. */
  inlines: 2_000,
  /** Characters of one stretch of text. */
  text: 20_000,
  /** Characters of a title, and of a name in the text. */
  title: 200,
  subtitle: 300,
  /** Characters of the description of a picture, and of a formula. */
  alt: 2_000,
  formula: 1_000,
  /** Deepest nesting of blocks. */
  depth: 8,
  listItems: 500,
  rows: 500,
  cells: 20,
  names: 200,
  /** Cards of one example, and characters of each that are compared. */
  seenCards: 20,
  seenText: 2_000,
  /** Places where words are said to be no terms. */
  noTerms: 500,
} as const;
