import type { Block, Inline, Rulebook } from '../document/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../document/walk.ts';
import { numberBlocks } from './numbering.ts';

/** A block that a search found. */
export interface Hit {
  readonly block: string;
  /** The heading it stands below; empty before the first, and of a heading. */
  readonly heading: string;
  /** Its text around the first place that was found. */
  readonly before: string;
  readonly found: string;
  readonly after: string;
}

/** Most hits listed. */
export const MAX_HITS = 60;
/** Characters shown around what was found. */
const AROUND = 60;

interface Entry {
  readonly block: string;
  readonly heading: string;
  readonly text: string;
  /** The text in small letters without accents; each character of it comes from the one of the text at `places`. */
  readonly folded: string;
  readonly places: readonly number[];
  /** Headings and definitions are meant before what only mentions the word. */
  readonly weight: number;
}

/** Small letters without accents, and the place in the text of each. */
function fold(text: string): { readonly folded: string; readonly places: number[] } {
  let folded = '';
  const places: number[] = [];
  let at = 0;
  for (const letter of text) {
    const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    folded += plain;
    for (let n = 0; n < plain.length; n++) places.push(at);
    at += letter.length;
  }
  places.push(at);
  return { folded, places };
}

const WEIGHTS: Partial<Record<Block['type'], number>> = { heading: 0, definition: 1 };

/** The text with what its formulas came to. */
function lineOf(content: readonly Inline[], values: ReadonlyMap<string, string>): string {
  return content
    .map((inline) => (inline.type === 'value' ? (values.get(inline.formula) ?? '') : plainText([inline])))
    .join('');
}

function textOf(block: Block, values: ReadonlyMap<string, string>): string {
  const own = block.type === 'definition' ? `${block.term} · ` : block.type === 'callout' ? block.title : '';
  const names = block.type === 'cards' ? `${block.names.join(', ')} ` : '';
  const text = inlinesOf(block).map((content) => lineOf(content, values));
  return `${own}${names}${text.join(' ')}`.replace(/\s+/g, ' ').trim();
}

function entriesOf(book: Rulebook, values: ReadonlyMap<string, string>): readonly Entry[] {
  const { places } = numberBlocks(book, (formula) => values.get(formula) ?? '');
  let heading = '';
  const entries: Entry[] = [];
  for (const block of allBlocks(book.blocks)) {
    if (block.type === 'heading') heading = places.get(block.id)?.title ?? '';
    const text = textOf(block, values);
    if (text !== '') {
      entries.push({ block: block.id, heading, text, ...fold(text), weight: WEIGHTS[block.type] ?? 2 });
    }
  }
  return entries;
}

/** The whole text of a rulebook, which is made ready when it is first searched. */
export class BookSearch {
  readonly #book: Rulebook;
  readonly #values: ReadonlyMap<string, string>;
  #entries: readonly Entry[] | undefined;

  /** @param values what its formulas came to */
  constructor(book: Rulebook, values: ReadonlyMap<string, string> = new Map()) {
    this.#book = book;
    this.#values = values;
  }

  /** Blocks that have a word beginning with each of these, those that are about them first. */
  find(words: string): readonly Hit[] {
    const wanted = fold(words).folded.match(/[\p{L}\p{N}]+/gu);
    if (!wanted) return [];
    const patterns = wanted.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'u'));
    this.#entries ??= entriesOf(this.#book, this.#values);
    return this.#entries
      .filter(({ folded }) => patterns.every((pattern) => pattern.test(folded)))
      .sort((a, b) => a.weight - b.weight)
      .slice(0, MAX_HITS)
      .map((entry) => hitOf(entry, patterns[0] as RegExp, wanted[0] ?? ''));
  }
}

function hitOf({ block, heading, text, folded, places, weight }: Entry, pattern: RegExp, word: string): Hit {
  const at = pattern.exec(folded)?.index ?? 0;
  const [from, to] = [places[at] ?? 0, places[at + word.length] ?? text.length];
  // Cut between words.
  const start = from <= AROUND ? 0 : text.lastIndexOf(' ', from - AROUND) + 1;
  const next = text.indexOf(' ', to + AROUND);
  const end = next < 0 ? text.length : next;
  return {
    block,
    heading: weight === 0 ? '' : heading,
    before: `${start > 0 ? '…' : ''}${text.slice(start, from)}`,
    found: text.slice(from, to),
    after: `${text.slice(to, end)}${end < text.length ? '…' : ''}`,
  };
}
