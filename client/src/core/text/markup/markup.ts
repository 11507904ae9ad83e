import type { InlineStyle } from '../../scene/layout.ts';
import {
  type BraceMeaning,
  type Keywords,
  keywordsOf,
  type MarkupContext,
  meaningOfBraces,
} from './braces.ts';

/**
 * Card text. What it understands:
 *   *italic*  _italic_  **bold**  ****bold italic****
 *   {Name}                     a variable (text, icon) or a column of the table
 *   {Style:text}               text in a style variable; nests; `b` and `i` are always there
 *   {Folder/icon.png}          an image in the line; {Folder/icon.png, 0.9, 0.1} sets its height
 *                              and its shift down, as shares of the type size
 *   Name, [token]              an icon variable that stands anywhere, or by its token, without braces
 *   [label](target)            the label alone
 *   " / ", an empty line, <p>  a new paragraph; a newline or <br> a new line
 *   a line that starts with "* ", "- " or "• " is a list item
 *   \* \_ \{ \} \[ \/ \\       the character itself
 * Whatever fits none of these stays as it was written.
 */

export interface TextLook {
  readonly family: string | null;
  readonly weight: number | null;
  readonly italic: boolean | null;
  readonly color: string | null;
  /** Multiplies the zone's type size. */
  readonly scale: number;
  /** Passed on to the runs set in this look; see `GlyphRun`. */
  readonly mark?: string;
}

export type Inline =
  | { readonly kind: 'text'; readonly text: string; readonly look: TextLook }
  | {
      readonly kind: 'icon';
      readonly source: string;
      readonly size: number;
      readonly offset: number;
      readonly look: TextLook;
    }
  | { readonly kind: 'break' };

export interface Paragraph {
  readonly inlines: readonly Inline[];
  /** A list item: hangs behind a bullet. */
  readonly bullet: boolean;
}

export const PLAIN: TextLook = { family: null, weight: null, italic: null, color: null, scale: 1 };

/** Deepest nesting of variables and styles; deeper is a loop. */
export const MAX_NESTING = 12;
/** Most inlines of one text; variables inside variables could otherwise multiply without end. */
const MAX_INLINES = 20_000;
/** Most variables put into one text, for the same reason. */
const MAX_INSERTIONS = 5_000;

export const ESCAPABLE = '*_{}[]/\\<';
/** The beginning of a line that is an item of a list. */
export const BULLET = /^[ \t]*[*\-•][ \t]+/;
/** Longest indentation looked through for a bullet. */
const BULLET_REACH = 16;

export interface ParsedMarkup {
  readonly paragraphs: readonly Paragraph[];
  /** Problems for the designer to mend, such as a loop of variables. */
  readonly problems: readonly string[];
}

/** Reads markup. Never fails: text that is no markup is text. */
export function parseMarkup(source: string, context: MarkupContext): ParsedMarkup {
  const parser = new Parser(context);
  parser.run(source.replaceAll('\r\n', '\n'), PLAIN, 0);
  return parser.finish();
}

/** The text alone, with newlines between paragraphs and lines. */
export function plainText(paragraphs: readonly Paragraph[]): string {
  return paragraphs
    .map(({ inlines }) =>
      inlines.map((item) => (item.kind === 'text' ? item.text : item.kind === 'break' ? '\n' : '')).join(''),
    )
    .join('\n');
}

class Parser {
  readonly #context: MarkupContext;
  readonly #keywords: Keywords | null;
  readonly #paragraphs: Paragraph[] = [];
  readonly #problems = new Set<string>();
  #inlines: Inline[] = [];
  #bullet = false;
  #text = '';
  #count = 0;
  #insertions = 0;
  /** Ends of the braces of each text that is read: a text of many openings would be searched once for each. */
  readonly #braceEnds = new Map<string, Map<number, number>>();

  constructor(context: MarkupContext) {
    this.#context = context;
    this.#keywords = keywordsOf(context.variables);
  }

  finish(): ParsedMarkup {
    this.#endParagraph();
    return { paragraphs: this.#paragraphs, problems: [...this.#problems] };
  }

  run(source: string, look: TextLook, depth: number): void {
    let at = 0;
    while (at < source.length) at = this.#step(source, at, look, depth);
    this.#flush(look);
  }

  #endOfBrace(source: string): (open: number) => number {
    const known = this.#braceEnds.get(source) ?? new Map<number, number>();
    this.#braceEnds.set(source, known);
    return (open) => {
      const end = known.get(open) ?? findBrace(source, open);
      known.set(open, end);
      return end;
    };
  }

  /** Parses one element at `at` and returns the start of the next one. */
  #step(source: string, at: number, look: TextLook, depth: number): number {
    const character = source[at] ?? '';
    if (character === '\\' && ESCAPABLE.includes(source[at + 1] ?? ' ')) {
      this.#text += source[at + 1];
      return at + 2;
    }
    const read =
      this.#break(source, at, look, depth) ??
      (character === '*' ? this.#emphasis(source, at, look, depth) : undefined) ??
      (character === '_' ? this.#underlined(source, at, look, depth) : undefined) ??
      (character === '{' ? this.#braces(source, at, look, depth) : undefined) ??
      (character === '[' ? this.#link(source, at, look, depth) : undefined);
    if (read !== undefined) return read;
    this.#text += character;
    return at + 1;
  }

  #break(source: string, at: number, look: TextLook, depth: number): number | undefined {
    const rest = source[at];
    if (rest === '\n') {
      const blank = /^\n(?:[ \t]*\/?[ \t]*\n)+/.exec(source.slice(at, at + 200));
      const after = at + (blank ? blank[0].length : 1);
      if (blank || BULLET.test(source.slice(after, after + BULLET_REACH)) || this.#bullet) {
        this.#flush(look);
        this.#endParagraph();
      } else this.#push({ kind: 'break' }, look);
      return this.#startLine(source, after);
    }
    if (at === 0 && depth === 0 && BULLET.test(source.slice(0, BULLET_REACH)))
      return this.#startLine(source, 0);
    if (rest === ' ' && source.startsWith(' / ', at)) {
      this.#flush(look);
      this.#endParagraph();
      return this.#startLine(source, at + 3);
    }
    if (rest !== '<') return undefined;
    const tag = /^<(br|p)\s*\/?>|^<\/(p)>/i.exec(source.slice(at, at + 8));
    if (!tag) return undefined;
    if (tag[1]?.toLowerCase() === 'br') this.#push({ kind: 'break' }, look);
    else {
      this.#flush(look);
      this.#endParagraph();
    }
    return at + tag[0].length;
  }

  #startLine(source: string, at: number): number {
    const bullet = BULLET.exec(source.slice(at, at + BULLET_REACH));
    if (!bullet || this.#inlines.length > 0 || this.#text !== '') return at;
    this.#bullet = true;
    return at + bullet[0].length;
  }

  #emphasis(source: string, at: number, look: TextLook, depth: number): number | undefined {
    const stars = /^\*+/.exec(source.slice(at))?.[0] ?? '';
    const count = stars.length;
    const opens = count <= 4 && /\S/.test(source[at + count] ?? '');
    const end =
      opens && depth < MAX_NESTING ? findClosing(source, at + count, stars, this.#endOfBrace(source)) : -1;
    if (end === -1) return this.#literal(at, stars);
    this.#flush(look);
    const bold = count >= 2;
    const italic = count !== 2;
    this.run(
      source.slice(at + count, end),
      { ...look, weight: bold ? 700 : look.weight, italic: italic ? true : look.italic },
      depth + 1,
    );
    return end + count;
  }

  /** Italic between underscores that stand around words, as in Markdown: `snake_case` and `____` stay as they are. */
  #underlined(source: string, at: number, look: TextLook, depth: number): number | undefined {
    const opens = !WORD.test(source[at - 1] ?? ' ') && /[^\s_]/.test(source[at + 1] ?? ' ');
    const end = opens && depth < MAX_NESTING ? findUnderscore(source, at + 1, this.#endOfBrace(source)) : -1;
    if (end === -1) return undefined;
    this.#flush(look);
    this.run(source.slice(at + 1, end), { ...look, italic: true }, depth + 1);
    return end + 1;
  }

  #literal(at: number, text: string): number {
    this.#text += text;
    return at + text.length;
  }

  #braces(source: string, at: number, look: TextLook, depth: number): number | undefined {
    const end = this.#endOfBrace(source)(at);
    if (end === -1) return undefined;
    const meaning = meaningOfBraces(source.slice(at + 1, end), this.#context);
    if (meaning.kind === 'literal') return undefined;
    this.#flush(look);
    this.#insertions++;
    if (this.#insertions > MAX_INSERTIONS) {
      this.#problems.add(`The text puts in more than ${MAX_INSERTIONS} variables; the rest is left out.`);
      return end + 1;
    }
    if (depth >= MAX_NESTING) {
      this.#problems.add(
        `{${source.slice(at + 1, end)}} is nested more than ${MAX_NESTING} deep: does a variable contain itself?`,
      );
      return this.#literal(at, source.slice(at, end + 1));
    }
    this.#insert(meaning, look, depth);
    return end + 1;
  }

  #insert(meaning: Exclude<BraceMeaning, { kind: 'literal' }>, look: TextLook, depth: number): void {
    if (meaning.kind === 'icon') {
      this.#push(
        { kind: 'icon', source: meaning.source, size: meaning.size, offset: meaning.offset, look },
        look,
      );
    } else if (meaning.kind === 'text') this.run(meaning.text, look, depth + 1);
    else this.run(meaning.inner, withStyle(look, meaning.style), depth + 1);
  }

  #link(source: string, at: number, look: TextLook, depth: number): number | undefined {
    const match = /^\[([^[\]\n]{1,300})\]\([^()\s]{0,500}\)/.exec(source.slice(at, at + 810));
    if (!match || depth >= MAX_NESTING) return undefined;
    this.#flush(look);
    this.run(match[1] ?? '', look, depth + 1);
    return at + match[0].length;
  }

  #flush(look: TextLook): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    let from = 0;
    for (const { 0: name, index } of this.#keywords ? text.matchAll(this.#keywords.pattern) : []) {
      const icon = this.#keywords?.icons.get(name);
      if (!icon) continue;
      if (index > from) this.#append({ kind: 'text', text: text.slice(from, index), look });
      const { source, size, offset } = icon;
      this.#append({ kind: 'icon', source, size, offset, look });
      from = index + name.length;
    }
    if (from < text.length) this.#append({ kind: 'text', text: text.slice(from), look });
  }

  #push(item: Inline, look: TextLook): void {
    this.#flush(look);
    this.#append(item);
  }

  #append(item: Inline): void {
    this.#count++;
    if (this.#count > MAX_INLINES) {
      this.#problems.add(`The text has more than ${MAX_INLINES} pieces; the rest is left out.`);
      return;
    }
    this.#inlines.push(item);
  }

  #endParagraph(): void {
    if (this.#inlines.length > 0) this.#paragraphs.push({ inlines: this.#inlines, bullet: this.#bullet });
    this.#inlines = [];
    this.#bullet = false;
  }
}

function withStyle(look: TextLook, style: InlineStyle): TextLook {
  return {
    family: style.family ?? look.family,
    weight: style.weight ?? look.weight,
    italic: style.italic ?? look.italic,
    color: style.color ?? look.color,
    scale: look.scale * (style.scale ?? 1),
  };
}

/** Underscores beside these do not set text in italic. */
export const WORD = /[\p{L}\p{M}\p{N}_]/u;

/** True at the end of a paragraph. */
const endsParagraph = (source: string, at: number): boolean =>
  source[at] === '\n' && /^\n[ \t]*\/?[ \t]*\n/.test(source.slice(at, at + 20));

/** Index of an underscore that closes in the same paragraph, or -1. */
export function findUnderscore(source: string, from: number, endOfBrace: (open: number) => number): number {
  for (let at = from; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (endsParagraph(source, at)) return -1;
    else if (character === '{') {
      const end = endOfBrace(at);
      if (end !== -1) at = end;
    } else if (character === '_' && at > from && /[^\s_]/.test(source[at - 1] ?? ' ')) {
      if (!WORD.test(source[at + 1] ?? ' ')) return at;
    }
  }
  return -1;
}

/** Index at which a run of exactly these stars closes in the same paragraph, or -1. */
export function findClosing(
  source: string,
  from: number,
  stars: string,
  endOfBrace: (open: number) => number,
): number {
  for (let at = from; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (endsParagraph(source, at)) return -1;
    else if (character === '{') {
      const end = endOfBrace(at);
      if (end !== -1) at = end;
    } else if (character === '*') {
      let length = 1;
      while (source[at + length] === '*') length++;
      if (length === stars.length && !/\s/.test(source[at - 1] ?? ' ')) return at;
      at += length - 1;
    }
  }
  return -1;
}

/** The brace that closes the one at `open`, or -1. */
export function findBrace(source: string, open: number): number {
  let depth = 0;
  for (let at = open; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '{') depth++;
    else if (source[at] === '}' && --depth === 0) return at;
  }
  return -1;
}
