import { TranslationError } from '../../translation/error.ts';
import { type Piece as GeneralPiece, unescaped, withoutUnsafe } from '../../translation/pieces.ts';
import { LIMITS } from '../document/limits.ts';
import { type Inline, type InlineOf, idSchema, type Mark } from '../document/schema.ts';

/**
 * The text of a block as translators see it: words, and a placeholder for all that is no word. `{energy}` is an icon,
 * `{@Fireball}` a card, `{{count(Cards)}}` a value, `{§page b12}` a reference, `<t b12>energy</t>` a term with its
 * words, `<b>` and `<i>` are strong and emphasis; a new line is a break. A placeholder says all that it stands for, so
 * that a translation can be read without its source. A backslash takes the meaning from the sign behind it;
 * `\\u0007` is a character that cannot be shown.
 */

/** A piece of the notation. */
export type Piece = GeneralPiece<Inline>;

const TAGS = { strong: 'b', emphasis: 'i' } as const satisfies Record<Mark, string>;
const MARK_OF = { b: 'strong', i: 'emphasis' } as const;

const escapedWords = (text: string): string => withoutUnsafe(text.replace(/[\\{<]/g, '\\$&'));
const escapedName = (name: string): string => withoutUnsafe(name.replace(/[\\{}@§]/g, '\\$&'));

/** The placeholder of an inline that is no text; of a term, its beginning. */
function tokenOf(inline: Exclude<Inline, { type: 'text' | 'break' }>): string {
  switch (inline.type) {
    case 'icon':
      return `{${escapedName(inline.name)}}`;
    case 'card':
      return `{@${escapedName(inline.name)}}`;
    case 'value':
      return `{{${escapedName(inline.formula)}}}`;
    case 'reference':
      return `{§${inline.show} ${inline.block}}`;
    case 'term':
      return `<t ${inline.definition}>`;
  }
}

const hasMark = (inline: Inline | undefined, mark: Mark): boolean =>
  inline?.type === 'text' && (inline.marks?.includes(mark) ?? false);

/** Stretches that begin and end with marked text, what is no text between them among them; and all the rest. */
function stretches(content: readonly Inline[], mark: Mark): { marked: boolean; part: Inline[] }[] {
  const list: { marked: boolean; part: Inline[] }[] = [];
  let at = 0;
  while (at < content.length) {
    const marked = hasMark(content[at], mark);
    let end = at + 1;
    if (marked) {
      for (let next = end; next < content.length; next++) {
        if (hasMark(content[next], mark)) end = next + 1;
        else if (content[next]?.type === 'text') break;
      }
    } else while (end < content.length && !hasMark(content[end], mark)) end++;
    list.push({ marked, part: content.slice(at, end) });
    at = end;
  }
  return list;
}

function piecesOf(content: readonly Inline[], marks: readonly Mark[]): Piece[] {
  const [mark, ...inner] = marks;
  if (!mark) return content.flatMap(barePieces);
  return stretches(content, mark).flatMap(({ marked, part }): Piece[] => {
    const pieces = piecesOf(part, inner);
    if (!marked) return pieces;
    const tag = TAGS[mark];
    return [{ kind: 'open', token: `<${tag}>` }, ...pieces, { kind: 'close', token: `</${tag}>` }];
  });
}

function barePieces(inline: Inline): Piece[] {
  switch (inline.type) {
    case 'text':
      return [{ kind: 'words', text: inline.text }];
    case 'break':
      return [{ kind: 'break' }];
    case 'term':
      return [
        { kind: 'open', token: tokenOf(inline) },
        { kind: 'words', text: inline.text },
        { kind: 'close', token: '</t>' },
      ];
    default:
      return [{ kind: 'single', token: tokenOf(inline), inline }];
  }
}

/** The pieces of a text in order, pairs inside each other and never across. */
export const writtenPieces = (content: readonly Inline[]): Piece[] =>
  piecesOf(normal(content), ['strong', 'emphasis']);

/** A text in the notation. */
export function writeNotation(content: readonly Inline[]): string {
  return joinPieces(writtenPieces(content));
}

export const joinPieces = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) =>
      piece.kind === 'words' ? escapedWords(piece.text) : piece.kind === 'break' ? '\n' : piece.token,
    )
    .join('');

/** Neighbours with the same marks as one, marks in one order, and none where there are none. */
export function normal(content: readonly Inline[]): Inline[] {
  const list: Inline[] = [];
  for (const inline of content) {
    if (inline.type !== 'text') {
      list.push(inline);
      continue;
    }
    const marks = (['strong', 'emphasis'] as const).filter((mark) => hasMark(inline, mark));
    const last = list.at(-1);
    if (last?.type === 'text' && `${last.marks ?? ''}` === `${marks}`) {
      list[list.length - 1] = { ...last, text: last.text + inline.text };
    } else list.push({ type: 'text', text: inline.text, ...(marks.length > 0 && { marks }) });
  }
  return list;
}

const NAME = String.raw`((?:\\[\s\S]|[^\\{}]){1,6000})`;
const TOKEN = new RegExp(
  [
    String.raw`\\u[0-9a-f]{4}|\\[\s\S]`,
    '\n',
    String.raw`\{\{${NAME}\}\}`,
    String.raw`\{§(number|title|page) ([A-Za-z0-9_-]{1,40})\}`,
    String.raw`\{@${NAME}\}`,
    String.raw`\{${NAME}\}`,
    '<t ([A-Za-z0-9_-]{1,40})>',
    '</?[bi]>',
    '</t>',
  ].join('|'),
  'g',
);

/** The pieces of a text as somebody wrote it: what makes no placeholder is words. */
export function piecesIn(text: string): Piece[] {
  const pieces: Piece[] = [];
  const words = (part: string): void => {
    const last = pieces.at(-1);
    if (last?.kind === 'words') pieces[pieces.length - 1] = { kind: 'words', text: last.text + part };
    else if (part !== '') pieces.push({ kind: 'words', text: part });
  };
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    words(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [token, formula, show, block, card, icon, term] = match;
    if (token.startsWith('\\')) words(unescaped(token));
    else if (token === '\n') pieces.push({ kind: 'break' });
    else if (term !== undefined || token === '<b>' || token === '<i>') pieces.push({ kind: 'open', token });
    else if (token.startsWith('</')) pieces.push({ kind: 'close', token });
    else {
      const inline = singleInline({ formula, show, block, card, icon });
      pieces.push({ kind: 'single', token: tokenOf(inline), inline });
    }
  }
  words(text.slice(at));
  return pieces;
}

function singleInline(found: {
  readonly formula: string | undefined;
  readonly show: string | undefined;
  readonly block: string | undefined;
  readonly card: string | undefined;
  readonly icon: string | undefined;
}): InlineOf<'icon' | 'card' | 'value' | 'reference'> {
  const { formula, show, block = '', card, icon = '' } = found;
  const name = (text: string): string => unescaped(text).slice(0, LIMITS.title);
  if (formula !== undefined) {
    return { type: 'value', formula: unescaped(formula).slice(0, LIMITS.formula) };
  }
  if (show !== undefined) {
    return { type: 'reference', block, show: show as InlineOf<'reference'>['show'] };
  }
  return card !== undefined ? { type: 'card', name: name(card) } : { type: 'icon', name: name(icon) };
}

/**
 * Reads a text in the notation.
 * @throws TranslationError naming the placeholder that is not closed or stands where it cannot
 */
export function readNotation(text: string): Inline[] {
  return inlinesOf(piecesIn(text));
}

/** @throws TranslationError as `readNotation` does */
export function inlinesOf(pieces: readonly Piece[]): Inline[] {
  const list: Inline[] = [];
  const open: string[] = [];
  let term: { readonly token: string; words: string } | undefined;
  for (const piece of pieces) {
    if (term && piece.kind === 'words') term.words += piece.text;
    else if (term && piece.kind === 'close' && piece.token === '</t>') {
      list.push(termInline(term));
      term = undefined;
    } else if (term) {
      throw new TranslationError(`Only words can stand between ${term.token} and </t>.`);
    } else if (piece.kind === 'words') {
      const marks = (['b', 'i'] as const).filter((tag) => open.includes(tag)).map((tag) => MARK_OF[tag]);
      list.push({ type: 'text', text: piece.text, ...(marks.length > 0 && { marks }) });
    } else if (piece.kind === 'break') list.push({ type: 'break' });
    else if (piece.kind === 'single') {
      if (piece.inline) list.push(piece.inline);
    } else if (piece.kind === 'open') {
      if (piece.token.startsWith('<t ')) term = { token: piece.token, words: '' };
      else if (open.includes(piece.token.slice(1, -1))) {
        throw new TranslationError(
          `${piece.token} is opened twice: close the first with </${piece.token.slice(1)}.`,
        );
      } else open.push(piece.token.slice(1, -1));
    } else {
      const at = open.lastIndexOf(piece.token.slice(2, -1));
      if (at < 0)
        throw new TranslationError(`${piece.token} closes nothing: put its beginning before the words.`);
      open.splice(at, 1);
    }
  }
  if (term) throw new TranslationError(`${term.token} is not closed: put </t> behind its words.`);
  const [left] = open;
  if (left) throw new TranslationError(`<${left}> is not closed: put </${left}> behind its words.`);
  return normal(list);
}

function termInline({ token, words }: { readonly token: string; readonly words: string }): Inline {
  const definition = token.slice(3, -1);
  if (words.trim() === '') throw new TranslationError(`${token} has no words: put the term before </t>.`);
  if (words.length > LIMITS.title) {
    throw new TranslationError(`The words of ${token} have more than ${LIMITS.title} characters.`);
  }
  return { type: 'term', definition: idSchema.parse(definition), text: words };
}
