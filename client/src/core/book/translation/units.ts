import { TranslationError } from '../../translation/error.ts';
import { hasWords, MAX_UNIT } from '../../translation/pieces.ts';
import type { TextForm, Unit } from '../../translation/unit.ts';
import { LIMITS } from '../document/limits.ts';
import type { Block, BlockOf, Inline, Rulebook } from '../document/schema.ts';
import { checkedLines, LINE, LINES, linesOf, NOTATION } from './forms.ts';
import { writeNotation } from './notation.ts';
import { fittingNotation } from './placeholders.ts';

/** Id by which findings and jumps name the title and the subtitle, which are in no block. */
export const TITLE_BLOCK = 'title';

type UnitPlace = Omit<Unit, 'source'>;

/** Called with every text of a rulebook in order; what it answers takes the text's place. */
interface Texts {
  readonly inlines: (place: UnitPlace, content: readonly Inline[]) => readonly Inline[];
  readonly plain: (place: UnitPlace, text: string) => string;
}

/** Label of the text of a block. */
const LABELS = {
  paragraph: 'Paragraph',
  rule: 'Rule',
  definition: 'Definition',
} as const;

class Mapped {
  readonly #texts: Texts;

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  #plain(block: string, part: string, label: string, text: string, most: number, form: TextForm = LINE) {
    return this.#texts.plain({ id: `${block}.${part}`, place: block, label, form, most }, text);
  }

  #inlines(block: string, part: string, label: string, content: readonly Inline[]): Inline[] {
    const place: UnitPlace = {
      id: `${block}.${part}`,
      place: block,
      label,
      form: NOTATION,
      most: MAX_UNIT,
    };
    return [...this.#texts.inlines(place, content)];
  }

  block(block: Block): Block {
    const { id } = block;
    switch (block.type) {
      case 'heading': {
        const content = this.#inlines(id, 'text', `Heading ${block.level}`, block.content);
        return { ...block, content };
      }
      case 'paragraph':
      case 'rule':
        return { ...block, content: this.#inlines(id, 'text', LABELS[block.type], block.content) };
      case 'definition':
        return this.#definition(block);
      case 'table':
        return this.#table(block);
      case 'figure': {
        const alt = this.#plain(id, 'alt', 'Description of a picture', block.alt, LIMITS.alt);
        return { ...block, alt, caption: this.#inlines(id, 'caption', 'Caption', block.caption) };
      }
      case 'cards':
        return { ...block, caption: this.#inlines(id, 'caption', 'Caption', block.caption) };
      case 'list':
        return {
          ...block,
          items: block.items.map((item) => ({ ...item, blocks: item.blocks.map((one) => this.block(one)) })),
        };
      case 'callout': {
        const title = this.#plain(id, 'title', 'Title of a box', block.title, LIMITS.title);
        return { ...block, title, blocks: block.blocks.map((one) => this.block(one)) };
      }
      case 'columns':
        return { ...block, blocks: block.blocks.map((one) => this.block(one)) };
      case 'pageBreak':
      case 'live':
        return block;
    }
  }

  #definition(block: BlockOf<'definition'>): Block {
    const { id, term, variants } = block;
    const most = LIMITS.names * (LIMITS.title + 1);
    return {
      ...block,
      term: this.#plain(id, 'term', 'Term', term, LIMITS.title),
      variants: linesOf(this.#plain(id, 'variants', 'Forms of a term', variants.join('\n'), most, LINES)),
      content: this.#inlines(id, 'text', LABELS.definition, block.content),
    };
  }

  #table(block: BlockOf<'table'>): Block {
    const caption = this.#inlines(block.id, 'caption', 'Caption', block.caption);
    const rows = block.rows.map((row, y) =>
      row.map((cell, x) =>
        this.#inlines(block.id, `r${y + 1}c${x + 1}`, `Table, row ${y + 1}, column ${x + 1}`, cell),
      ),
    );
    return { ...block, caption, rows };
  }
}

/** A rulebook with each of its texts changed; blocks stay, and keep their ids. */
function mapTexts(book: Rulebook, texts: Texts): Rulebook {
  const mapped = new Mapped(texts);
  const head = (part: 'title' | 'subtitle', label: string, most: number): string =>
    // Ids of blocks have no full stop, so that no block has these.
    texts.plain({ id: `.${part}`, place: TITLE_BLOCK, label, form: LINE, most }, book[part]);
  return {
    ...book,
    title: head('title', 'Title', LIMITS.title),
    subtitle: head('subtitle', 'Subtitle', LIMITS.subtitle),
    blocks: book.blocks.map((block) => mapped.block(block)),
  };
}

const wordsIn = (content: readonly Inline[]): string =>
  content.map((inline) => (inline.type === 'text' || inline.type === 'term' ? inline.text : '')).join('');

/** Units of rulebooks that were asked for: every language of one asks for the same. */
const knownUnits = new WeakMap<Rulebook, readonly Unit[]>();

/** All that is translated of a rulebook, in reading order. */
export function unitsOf(book: Rulebook): readonly Unit[] {
  const known = knownUnits.get(book);
  if (known) return known;
  const units: Unit[] = [];
  mapTexts(book, {
    inlines: (place, content) => {
      if (hasWords(wordsIn(content))) units.push({ ...place, source: writeNotation(content) });
      return content;
    },
    plain: (place, text) => {
      if (hasWords(text)) units.push({ ...place, source: text });
      return text;
    },
  });
  knownUnits.set(book, units);
  return units;
}

/**
 * A rulebook with other words: those that `textOf` answers for a unit's id, and its own where it answers nothing, what
 * cannot be read, or what has other placeholders than the source: a picture or a link that is not there any longer would
 * be printed. Blocks, their ids and all that is no text stay.
 */
export function withTexts(
  book: Rulebook,
  language: string,
  textOf: (id: string) => string | undefined,
): Rulebook {
  const { noTerms: _, ...rest } = mapTexts(book, {
    inlines: (place, content) => {
      const text = textOf(place.id);
      return (text !== undefined && unlessFaulty(() => fittingNotation(content, text))) || content;
    },
    plain: (place, source) => {
      const text = textOf(place.id);
      return (
        (text !== undefined && unlessFaulty(() => checkedLines(text, place.form === LINES, place.most))) ||
        source
      );
    },
  });
  // Words that must not be used, and words that are no terms, are those of the source.
  return { ...rest, language, blocks: rest.blocks.map(withoutForbidden) };
}

/** Nothing where a stored text is none: any editor writes what is stored. */
function unlessFaulty<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof TranslationError) return undefined;
    throw error;
  }
}

function withoutForbidden(block: Block): Block {
  if (block.type === 'definition') return { ...block, forbidden: [] };
  if (block.type === 'columns') return { ...block, blocks: block.blocks.map(withoutForbidden) };
  return block;
}
