import { LIMITS } from '../document/limits.ts';
import { type Inline, type InlineOf, idSchema, type Mark } from '../document/schema.ts';

/**
 * The text of a block in Markdown: `**strong**`, `*emphasis*`, `<br>`, and for what Markdown has no form `{icon}`,
 * `@[card]`, `{{formula}}`, `[word](#definition "term")` and `[§ page](#block)`.
 */

/** A backslash before each character that means something. */
const escaped = (text: string): string => text.replace(/[\\`*_[\]{}()<>|@&!#]/g, '\\$&');
/** The text without the backslashes before its signs. */
export const unescaped = (text: string): string => text.replace(/\\([\p{P}\p{S}])/gu, '$1');

const DELIMITERS: Readonly<Record<Mark, string>> = { strong: '**', emphasis: '*' };

function writeText({ text, marks = [] }: InlineOf<'text'>): string {
  const plain = text.replace(/\s/g, ' ');
  // Marks that begin or end at a space are none.
  const words = plain.trim();
  if (words === '') return plain;
  const before = plain.slice(0, plain.length - plain.trimStart().length);
  const after = plain.slice(plain.trimEnd().length);
  const around = marks.map((mark) => DELIMITERS[mark]).join('');
  return `${before}${around}${escaped(words)}${[...around].reverse().join('')}${after}`;
}

function writeInline(inline: Inline): string {
  switch (inline.type) {
    case 'text':
      return writeText(inline);
    case 'break':
      return '<br>';
    case 'icon':
      return `{${escaped(inline.name)}}`;
    case 'card':
      return `@[${escaped(inline.name)}]`;
    case 'term':
      return `[${escaped(inline.text)}](#${inline.definition} "term")`;
    case 'reference':
      return `[§ ${inline.show}](#${inline.block})`;
    case 'value':
      return `{{${inline.formula.replace(/[\\|}]/g, '\\$&')}}}`;
  }
}

/** Neighbours with the same marks, as one: delimiters side by side would be others. */
function joined(content: readonly Inline[]): Inline[] {
  const list: Inline[] = [];
  for (const inline of content) {
    const last = list.at(-1);
    if (inline.type === 'text' && last?.type === 'text' && sameMarks(inline, last)) {
      list[list.length - 1] = { ...last, text: last.text + inline.text };
    } else list.push(inline);
  }
  return list;
}

const sameMarks = ({ marks: a = [] }: InlineOf<'text'>, { marks: b = [] }: InlineOf<'text'>): boolean =>
  a.length === b.length && a.every((mark) => b.includes(mark));

/** The text of a block on one line. */
export function writeInlines(content: readonly Inline[]): string {
  const parts = joined(content).map(writeInline);
  return parts
    .map((part, at) => {
      // Between the delimiters of two neighbours something has to stand that is not seen.
      const touches = part.endsWith('*') && parts[at + 1]?.startsWith('*');
      return touches ? `${part}<!-- -->` : part;
    })
    .join('');
}

// The lengths keep a text of many beginnings without ends from being searched to its end for each.
const STRAY_COMMENT = /^<!--[\s\S]{0,2000}?-->/;
const NAMED = String.raw`((?:\\.|[^\\\]]){1,600})`;
const FORMS: readonly {
  readonly pattern: RegExp;
  readonly make: (match: RegExpExecArray) => Inline | string;
}[] = [
  { pattern: STRAY_COMMENT, make: () => '' },
  { pattern: /^<br\s*\/?>/i, make: () => ({ type: 'break' }) },
  {
    pattern: /^\{\{((?:\\.|[^\\}]){1,2000})\}\}/,
    make: ([, formula = '']) => ({ type: 'value', formula: unescaped(formula).slice(0, LIMITS.formula) }),
  },
  {
    pattern: /^\{((?:\\.|[^\\{}]){1,600})\}/,
    make: ([, name = '']) => ({ type: 'icon', name: named(name) }),
  },
  { pattern: new RegExp(`^@\\[${NAMED}\\]`), make: ([, name = '']) => ({ type: 'card', name: named(name) }) },
  { pattern: new RegExp(`^!?\\[${NAMED}\\]\\(([^()\\s]{0,4000})(?:\\s+"([^"]*)")?\\)`), make: linkOf },
  { pattern: /^`+([^`]+)`+/, make: ([, code = '']) => code },
];

const named = (name: string): string => unescaped(name).slice(0, LIMITS.title);

/** A link to a term or a block of the text; of other links the words and the address. */
function linkOf([, text = '', to = '', title]: RegExpExecArray): Inline | string {
  const id = to.startsWith('#') ? to.slice(1) : '';
  const show = /^§ (number|title|page)$/.exec(text)?.[1];
  if (show !== undefined && idSchema.safeParse(id).success) {
    return { type: 'reference', block: id, show: show as InlineOf<'reference'>['show'] };
  }
  if (title === 'term' && idSchema.safeParse(id).success)
    return { type: 'term', definition: id, text: named(text) };
  return to === '' || to.startsWith('#') ? unescaped(text) : `${unescaped(text)} (${to})`;
}

/** Reads the text of a block. */
export function readInlines(source: string): Inline[] {
  const found = new Found();
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    if (rest.startsWith('\\') && /^\\[\p{P}\p{S}]/u.test(rest)) {
      const [letter = ''] = rest.slice(1);
      found.text(letter);
      at += 1 + letter.length;
      continue;
    }
    const delimiter = /^(?:\*\*|__|\*|_)/.exec(rest)?.[0];
    if (delimiter !== undefined && found.mark(delimiter, source, at)) {
      at += delimiter.length;
      continue;
    }
    const form = /^[<{@![`]/.test(rest) ? formAt(rest) : undefined;
    if (form) {
      const { made } = form;
      if (typeof made === 'string') found.text(made);
      else found.put(made);
      at += form.length;
      continue;
    }
    const [letter = ''] = rest;
    found.text(letter);
    at += letter.length;
  }
  return found.list;
}

function formAt(rest: string) {
  for (const { pattern, make } of FORMS) {
    const match = pattern.exec(rest);
    if (match) return { length: match[0].length, made: make(match) };
  }
  return undefined;
}

/** The inlines read so far, and the marks that are open. */
class Found {
  readonly list: Inline[] = [];
  readonly #open = new Map<Mark, string>();

  text(text: string): void {
    if (text === '') return;
    const marks = [...this.#open.keys()].sort().reverse();
    const last = this.list.at(-1);
    const next: InlineOf<'text'> = { type: 'text', text, ...(marks.length > 0 && { marks }) };
    if (last?.type === 'text' && sameMarks(last, next)) {
      this.list[this.list.length - 1] = { ...last, text: last.text + text };
    } else this.list.push(next);
  }

  put(inline: Inline): void {
    this.list.push(inline);
  }

  /** Opens or closes a mark; false if the delimiter is only text. */
  mark(delimiter: string, source: string, at: number): boolean {
    const mark: Mark = delimiter.length === 2 ? 'strong' : 'emphasis';
    const [before = ' ', after = ' '] = [source[at - 1], source[at + delimiter.length]];
    const inWord = delimiter.startsWith('_') && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
    if (this.#open.get(mark) === delimiter) {
      if (/\s/.test(before) || inWord) return false;
      this.#open.delete(mark);
      return true;
    }
    if (this.#open.has(mark) || /\s/.test(after) || inWord) return false;
    if (!closes(delimiter, source, at + delimiter.length)) return false;
    this.#open.set(mark, delimiter);
    return true;
  }
}

/** True if a delimiter comes once more that is not escaped. */
function closes(delimiter: string, source: string, from: number): boolean {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (at > from && source.startsWith(delimiter, at)) return true;
  }
  return false;
}
