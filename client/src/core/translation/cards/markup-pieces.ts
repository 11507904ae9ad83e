import { keywordsOf, type MarkupContext, meaningOfBraces } from '../../text/markup/braces.ts';
import {
  ESCAPABLE,
  findBrace,
  findClosing,
  findUnderscore,
  MAX_NESTING,
  WORD,
} from '../../text/markup/markup.ts';
import { type Piece, rawText } from '../pieces.ts';

/** Most pieces of one text; what is left is words. */
const MAX_PIECES = 5_000;

/**
 * The pieces of card text as `core/text/markup` reads it: formulas, names in braces, images, icons by their words and
 * tokens, and `<br>` are single placeholders, styles, emphasis and links are pairs. One after the other they are the
 * text again.
 */
export function markupPieces(text: string, context: MarkupContext): Piece[] {
  const reader = new Reader(context);
  reader.run(text, 0);
  return reader.pieces;
}

type Read = (source: string, at: number, depth: number) => number | undefined;

class Reader {
  readonly pieces: Piece[] = [];
  readonly #context: MarkupContext;
  #words = '';

  constructor(context: MarkupContext) {
    this.#context = context;
  }

  run(source: string, depth: number): void {
    let at = 0;
    while (at < source.length) {
      at = this.#step(source, at, depth);
      if (this.pieces.length > MAX_PIECES) {
        this.#words += source.slice(at);
        break;
      }
    }
    this.#flush();
  }

  readonly #reads: Readonly<Record<string, Read>> = {
    '*': (source, at, depth) => this.#emphasis(source, at, depth),
    _: (source, at, depth) => this.#underlined(source, at, depth),
    '{': (source, at, depth) => this.#braces(source, at, depth),
    '[': (source, at, depth) => this.#link(source, at, depth),
    '<': (source, at) => this.#tag(source, at),
  };

  /** Reads one element and answers where the next one begins. */
  #step(source: string, at: number, depth: number): number {
    const character = source[at] ?? '';
    if (character === '\\' && ESCAPABLE.includes(source[at + 1] ?? ' ')) {
      this.#words += source.slice(at, at + 2);
      return at + 2;
    }
    if (character === '\n') {
      this.#flush();
      this.pieces.push({ kind: 'break' });
      return at + 1;
    }
    const read = this.#reads[character]?.(source, at, depth);
    if (read !== undefined) return read;
    this.#words += character;
    return at + 1;
  }

  #single(source: string, at: number, end: number): number {
    this.#flush();
    this.pieces.push({ kind: 'single', token: source.slice(at, end) });
    return end;
  }

  #pair(open: string, inner: string, end: string, depth: number): void {
    this.#flush();
    this.pieces.push({ kind: 'open', token: open, end });
    this.run(inner, depth + 1);
    this.pieces.push({ kind: 'close', token: end });
  }

  #tag(source: string, at: number): number | undefined {
    const tag = /^<(?:br|p)\s*\/?>|^<\/p>/i.exec(source.slice(at, at + 8));
    return tag ? this.#single(source, at, at + tag[0].length) : undefined;
  }

  #emphasis(source: string, at: number, depth: number): number | undefined {
    const stars = /^\*+/.exec(source.slice(at))?.[0] ?? '';
    const from = at + stars.length;
    const opens = stars.length <= 4 && /\S/.test(source[from] ?? '') && depth < MAX_NESTING;
    const end = opens ? findClosing(source, from, stars, (open) => findBrace(source, open)) : -1;
    if (end === -1) {
      this.#words += stars;
      return from;
    }
    this.#pair(stars, source.slice(from, end), stars, depth);
    return end + stars.length;
  }

  #underlined(source: string, at: number, depth: number): number | undefined {
    const opens =
      depth < MAX_NESTING && !WORD.test(source[at - 1] ?? ' ') && /[^\s_]/.test(source[at + 1] ?? ' ');
    const end = opens ? findUnderscore(source, at + 1, (open) => findBrace(source, open)) : -1;
    if (end === -1) return undefined;
    this.#pair('_', source.slice(at + 1, end), '_', depth);
    return end + 1;
  }

  #braces(source: string, at: number, depth: number): number | undefined {
    if (source.startsWith('{{', at)) {
      const formula = source.indexOf('}}', at);
      if (formula !== -1) return this.#single(source, at, formula + 2);
    }
    const end = findBrace(source, at);
    if (end === -1) return undefined;
    const inside = source.slice(at + 1, end);
    const meaning = meaningOfBraces(inside, this.#context);
    if (meaning.kind === 'style' && depth < MAX_NESTING) {
      const { inner } = meaning;
      this.#pair(source.slice(at, end - inner.length), inner, '}', depth);
      return end + 1;
    }
    // A name that nothing answers to yet may be a column or an icon that comes later.
    const isName = inside.trim() !== '' && !/[{:\n]/.test(inside);
    return meaning.kind === 'literal' && !isName ? undefined : this.#single(source, at, end + 1);
  }

  #link(source: string, at: number, depth: number): number | undefined {
    const match = /^\[([^[\]\n]{1,300})(\]\([^()\s]{0,500}\))/.exec(source.slice(at, at + 810));
    if (!match || depth >= MAX_NESTING) return undefined;
    const [whole, label = '', end = ''] = match;
    this.#pair('[', label, end, depth);
    return at + whole.length;
  }

  /** Puts the words so far among the pieces, icons that stand without braces set off. */
  #flush(): void {
    const text = this.#words;
    this.#words = '';
    const words = (part: string): void => {
      const last = this.pieces.at(-1);
      if (last?.kind === 'words')
        this.pieces[this.pieces.length - 1] = { kind: 'words', text: last.text + part };
      else if (part !== '') this.pieces.push({ kind: 'words', text: part });
    };
    let from = 0;
    const keywords = keywordsOf(this.#context.variables);
    for (const { 0: name, index } of keywords ? text.matchAll(keywords.pattern) : []) {
      words(text.slice(from, index));
      this.pieces.push({ kind: 'single', token: name });
      from = index + name.length;
    }
    words(text.slice(from));
  }
}

/** The words of a text, without what stands for something else. */
export const wordsOf = (pieces: readonly Piece[]): string =>
  rawText(pieces.filter(({ kind }) => kind === 'words'));
