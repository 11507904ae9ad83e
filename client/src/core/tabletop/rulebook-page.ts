import { RulebookError } from '../book/document/error.ts';
import type { Rulebook } from '../book/document/schema.ts';
import { type TextFacts, writePlainText } from '../book/edition/plain-text.ts';
import { MAX_PAGE_LENGTH, type NotebookPage } from './extras.ts';

/** A rulebook as a page of the notebook. @throws RulebookError when it is too long for one */
export function rulebookPage(book: Rulebook, facts: TextFacts): NotebookPage {
  const body = writePlainText(book, facts);
  if (body.length <= MAX_PAGE_LENGTH) return { title: book.title, body };
  throw new RulebookError(
    `${book.title} is too long for a page of the notebook: it has ${body.length} characters, and ${MAX_PAGE_LENGTH} fit.`,
  );
}
