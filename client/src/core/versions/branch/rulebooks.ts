import type { JsonObject } from '../../archive/bundle.ts';
import { wordsOfBlock } from '../../book/comparison/compare.ts';
import { blockWords } from '../../book/document/block-words.ts';
import type { Block } from '../../book/document/schema.ts';
import { numberAt, textAt } from '../stored-change.ts';
import { BOOK_FIELDS, type BookField, type BookText, type BranchChange } from './change.ts';
import { sameOrder } from './components.ts';

/** The text of a rulebook when the branch began, in the branch, and in the project; none where it is alike in all. */
export interface BranchTexts {
  readonly base: BookText;
  readonly theirs: BookText;
  readonly mine: BookText;
}

/** The documents of a rulebook in the same states; `null` where there is none. */
export interface BranchBook {
  readonly base: JsonObject | null;
  readonly theirs: JsonObject | null;
  readonly mine: JsonObject | null;
  readonly texts: BranchTexts | undefined;
}

const LABELS: Readonly<Record<BookField, string>> = {
  title: 'Title',
  subtitle: 'Subtitle',
  language: 'Language',
  format: 'Page format',
  style: 'Style',
};

/** A deleted rulebook stays stored for a day. */
const present = (fields: JsonObject | null): JsonObject | null =>
  fields && numberAt(fields, 'deletedAt') === 0 ? fields : null;

const same = (one: Block | undefined, other: Block | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
const byId = (blocks: readonly Block[]) => new Map(blocks.map((block) => [block.id, block]));

const WHAT = {
  new: 'New block',
  gone: 'Deleted block',
  changed: 'Block',
  missing: 'Changed here, gone from the project',
};

function changedBlocks(
  rulebook: string,
  group: string,
  { base, theirs, mine }: BranchTexts,
  left: string[],
): BranchChange[] {
  const [then, is, now] = [byId(base.blocks), byId(theirs.blocks), byId(mine.blocks)];
  const order = theirs.blocks.map(({ id }) => id);
  const ids = [...order, ...base.blocks.flatMap(({ id }) => (is.has(id) ? [] : [id]))];
  if (
    !sameOrder(
      base.blocks.map(({ id }) => id),
      order,
    )
  )
    left.push(`The order of the blocks of ${group}.`);
  return ids.flatMap((id, at): BranchChange[] => {
    const [was, block, today] = [then.get(id), is.get(id), now.get(id)];
    if (same(was, block) || same(block, today)) return [];
    const shown = block ?? today ?? was;
    const words = (one: Block | undefined) => one && wordsOfBlock(one);
    const what = !block ? WHAT.gone : !was ? WHAT.new : today ? WHAT.changed : WHAT.missing;
    return [
      {
        ...{ key: `rulebook ${rulebook} ${id}`, group, name: shown ? blockWords(shown) : '', what },
        ...{ base: words(was), theirs: words(block), mine: words(today), conflict: !same(was, today) },
        act: {
          ...{ kind: 'block', rulebook, block: id, value: block ?? null, was: today ?? null },
          behind: block ? order.slice(0, at).reverse() : [],
        },
      },
    ];
  });
}

const wordsOfText = ({ blocks }: BookText): string => blocks.map(wordsOfBlock).filter(Boolean).join('\n');
const sameText = (one: BookText, other: BookText): boolean =>
  JSON.stringify(one.blocks) === JSON.stringify(other.blocks);

/** Fields of a rulebook that its changes are told of. */
export const saidOf = (fields: JsonObject): Record<BookField, string> => {
  const [title, subtitle, language, format, style] = BOOK_FIELDS.map((field) => textAt(fields, field));
  return { title, subtitle, language, format, style } as Record<BookField, string>;
};

/** Key of the change that brings a rulebook, or deletes it. */
export const keyOfBook = (id: string): string => `rulebook ${id}`;

/** Changes of a branch on one rulebook. @param left gets what cannot be brought back, in words */
export function changedBook(id: string, book: BranchBook, left: string[]): BranchChange[] {
  const [base, theirs, mine] = [present(book.base), present(book.theirs), present(book.mine)];
  const title = textAt(mine ?? theirs ?? base, 'title') || 'A rulebook';
  if (!theirs) {
    if (!base || !mine) return [];
    const parts = [
      ...BOOK_FIELDS.map((field) => ({
        ...{ what: LABELS[field], before: textAt(base, field), after: textAt(mine, field) },
      })).filter(({ before, after }) => before !== after),
      ...(book.texts && !sameText(book.texts.base, book.texts.mine)
        ? [{ what: 'Text', before: wordsOfText(book.texts.base), after: wordsOfText(book.texts.mine) }]
        : []),
    ];
    return [
      {
        ...{ key: keyOfBook(id), group: title, name: title, what: 'Deleted rulebook', theirs: undefined },
        ...{ base: '', mine: '', conflict: parts.length > 0, ...(parts.length > 0 && { parts }) },
        act: { kind: 'removeBook', rulebook: id, was: saidOf(mine), text: book.texts?.mine },
      },
    ];
  }
  if (!mine) {
    if (base) {
      left.push(`The rulebook ${title}, which the project deleted: bring it back there first.`);
      return [];
    }
    if (!book.texts) return [];
    return [
      {
        ...{ key: keyOfBook(id), group: title, name: title, what: 'New rulebook', base: undefined },
        ...{ theirs: wordsOfText(book.texts.theirs) },
        ...{ mine: undefined, conflict: false },
        act: {
          ...{ kind: 'newBook', rulebook: id, fields: saidOf(theirs) },
          ...{ order: numberAt(theirs, 'order'), text: book.texts.theirs },
        },
      },
    ];
  }
  const fields = BOOK_FIELDS.flatMap((field): BranchChange[] => {
    const [then, value, was] = [textAt(base, field), textAt(theirs, field), textAt(mine, field)];
    if ((base && then === value) || value === was) return [];
    return [
      {
        ...{ key: `rulebook ${id} field ${field}`, group: title, name: title, what: LABELS[field] },
        ...{ base: then, theirs: value, mine: was, conflict: then !== was },
        act: { kind: 'book', rulebook: id, field, value, was },
      },
    ];
  });
  return [...fields, ...(book.texts ? changedBlocks(id, title, book.texts, left) : [])];
}
