import { createContext, useContext } from 'react';
import type { Definition, Rulebook } from '../../../core/book/document/schema.ts';
import { allBlocks } from '../../../core/book/document/walk.ts';
import type { Edition, Picture } from '../../../core/book/edition/edition.ts';
import { type TermUse, termUses } from '../../../core/book/references/index-terms.ts';
import { type Chapter, type Numbering, numberBlocks } from '../../../core/book/references/numbering.ts';

/** All that the blocks of a published rulebook are shown with. */
export interface BookContext {
  readonly edition: Edition;
  readonly numbering: Numbering;
  readonly terms: readonly TermUse[];
  /** The heading that each block stands below. */
  readonly headingOf: ReadonlyMap<string, Chapter>;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly cards: ReadonlyMap<string, Picture>;
  readonly icons: ReadonlyMap<string, Picture>;
  readonly figures: ReadonlyMap<string, Picture>;
  readonly values: ReadonlyMap<string, string>;
  /** Shows a card large. */
  readonly onCard: (card: Picture) => void;
  /** Shows the definition of a term beside where it is used. */
  readonly onTerm: (definition: Definition, use: HTMLElement) => void;
}

/** Stands for a formula that came to nothing. */
export const NO_VALUE = '?';

const byName = (pictures: readonly Picture[]): ReadonlyMap<string, Picture> =>
  new Map(pictures.map((picture) => [picture.name, picture]));

export function bookContext(
  edition: Edition,
  { onCard, onTerm }: Pick<BookContext, 'onCard' | 'onTerm'>,
): BookContext {
  const terms = termUses(edition.book);
  const values = new Map(edition.values);
  const numbering = numberBlocks(edition.book, (formula) => values.get(formula) ?? NO_VALUE);
  return {
    edition,
    numbering,
    terms,
    headingOf: headingsOf(edition.book, numbering),
    definitions: new Map(terms.map(({ definition }) => [definition.id, definition])),
    cards: byName(edition.cards),
    icons: byName(edition.icons),
    figures: byName(edition.figures),
    values,
    onCard,
    onTerm,
  };
}

function headingsOf(book: Rulebook, { headings }: Numbering): ReadonlyMap<string, Chapter> {
  const chapters = new Map(headings.map((heading) => [heading.id, heading]));
  const found = new Map<string, Chapter>();
  let heading: Chapter | undefined;
  for (const { id } of allBlocks(book.blocks)) {
    heading = chapters.get(id) ?? heading;
    if (heading) found.set(id, heading);
  }
  return found;
}

export const Book = createContext<BookContext | null>(null);

/** @throws outside of a book */
export function useBook(): BookContext {
  const book = useContext(Book);
  if (!book) throw new Error('This is no part of a book.');
  return book;
}

/** Id of the element that shows a block. */
export const anchorOf = (block: string): string => `b-${block}`;
