import type { Inline, InlineOf, Mark } from '../document/schema.ts';
import type { DocxImage, DocxNode, DocxNoteReference, DocxRun } from './document.ts';
import type { Losses } from './losses.ts';

/** The content of a paragraph: inlines, and what stands between paragraphs in a rulebook. */
export type Piece =
  | Inline
  | { readonly type: 'picture'; readonly image: DocxImage }
  | { readonly type: 'pageBreak'; readonly to: 'page' | 'column' };

export interface PieceReader {
  readonly losses: Losses;
  /** Number of a footnote, which is read then. */
  note(reference: DocxNoteReference): number;
  /** Block with a heading at a bookmark, if it says just these words. */
  heading(bookmark: string, words: string): string | undefined;
}

const marksOf = ({ isBold, isItalic, styleName }: DocxRun, around: readonly Mark[]): Mark[] => {
  const style = styleName ?? '';
  return [
    ...(isBold || /strong/i.test(style) || around.includes('strong') ? (['strong'] as const) : []),
    ...(isItalic || /emphasis/i.test(style) || around.includes('emphasis') ? (['emphasis'] as const) : []),
  ];
};

const isDecorated = ({ isUnderline, isStrikethrough, verticalAlignment, highlight }: DocxRun): boolean =>
  isUnderline || isStrikethrough || verticalAlignment !== 'baseline' || highlight !== null;

const textPiece = (text: string, marks: readonly Mark[]): Piece[] =>
  text === '' ? [] : [{ type: 'text', text, ...(marks.length > 0 && { marks: [...marks] }) }];

/** The pieces that the nodes in a paragraph become. */
export function piecesOf(
  reader: PieceReader,
  nodes: readonly DocxNode[],
  marks: readonly Mark[] = [],
): Piece[] {
  return nodes.flatMap((node): Piece[] => {
    switch (node.type) {
      case 'text':
        return textPiece(node.value.replace(/[\t\r\n\f\v]+/g, ' '), marks);
      case 'tab':
        return textPiece(' ', marks);
      case 'checkbox':
        return textPiece(node.checked ? '☑' : '☐', marks);
      case 'run': {
        const inside = piecesOf(reader, node.children, marksOf(node, marks));
        if (isDecorated(node) && inside.some(({ type }) => type === 'text')) {
          // Numbers of notes and the words of links are raised or underlined by themselves.
          if (!/hyperlink|reference/i.test(node.styleName ?? '')) reader.losses.add('decoration');
        }
        return inside;
      }
      case 'hyperlink':
        return linkPieces(reader, node, marks);
      case 'noteReference':
        return textPiece(`[${reader.note(node)}]`, []);
      case 'break':
        return [node.breakType === 'line' ? { type: 'break' } : { type: 'pageBreak', to: node.breakType }];
      case 'image':
        return [{ type: 'picture', image: node }];
      case 'commentReference':
        reader.losses.add('comment');
        return [];
      default:
        return [];
    }
  });
}

function linkPieces(
  reader: PieceReader,
  { children, href, anchor }: Extract<DocxNode, { type: 'hyperlink' }>,
  marks: readonly Mark[],
): Piece[] {
  const inside = piecesOf(reader, children, marks);
  const words = wordsOf(inside).trim();
  if (href === undefined) {
    const block = anchor === undefined ? undefined : reader.heading(anchor, words);
    if (block !== undefined) return [{ type: 'reference', block, show: 'title' }];
    reader.losses.add('inner-link');
    return inside;
  }
  const address = href.replace(/^mailto:/i, '');
  if (words === '' || words === address || words === href) return inside;
  reader.losses.add('link');
  return [...inside, ...textPiece(` (${address})`, marks)];
}

export const wordsOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (piece.type === 'text' ? piece.text : ' ')).join('');

/** Pieces that stand between paragraphs. */
export type Between = Exclude<Piece, Inline>;

const isInline = (piece: Piece): piece is Inline => piece.type !== 'picture' && piece.type !== 'pageBreak';

/** Inlines, and between them the other pieces, in order; runs of the same marks are one text. */
export function divided(pieces: readonly Piece[]): (Inline[] | Between)[] {
  const parts: (Inline[] | Between)[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (!isInline(piece)) parts.push(piece);
    else if (Array.isArray(last)) append(last, piece);
    else parts.push(append([], piece));
  }
  return parts.flatMap((part): (Inline[] | Between)[] => {
    if (!Array.isArray(part)) return [part];
    const content = trimmed(part);
    return content.length > 0 ? [content] : [];
  });
}

function append(list: Inline[], piece: Inline): Inline[] {
  const last = list.at(-1);
  if (piece.type === 'text' && last?.type === 'text' && sameMarks(piece, last)) {
    list[list.length - 1] = { ...last, text: last.text + piece.text };
  } else list.push(piece);
  return list;
}

const sameMarks = ({ marks: a = [] }: InlineOf<'text'>, { marks: b = [] }: InlineOf<'text'>): boolean =>
  a.length === b.length && a.every((mark) => b.includes(mark));

/** Without the spaces and line ends at both ends. */
export function trimmed(content: readonly Inline[]): Inline[] {
  const list = [...content];
  for (const [at, trim] of [
    [0, (text: string) => text.trimStart()],
    [-1, (text: string) => text.trimEnd()],
  ] as const) {
    for (;;) {
      const end = list.at(at);
      const text = end?.type === 'text' ? trim(end.text) : '';
      if (!end || (end.type !== 'text' && end.type !== 'break')) break;
      if (end.type === 'text' && text !== '') {
        list[at === 0 ? 0 : list.length - 1] = { ...end, text };
        break;
      }
      if (at === 0) list.shift();
      else list.pop();
    }
  }
  return list;
}

/** The words of a heading are strong by themselves. */
export const withoutStrong = (content: readonly Inline[]): Inline[] =>
  content.map((inline): Inline => {
    if (inline.type !== 'text') return inline;
    const { marks, ...text } = inline;
    const kept = marks?.filter((mark) => mark !== 'strong') ?? [];
    return { ...text, ...(kept.length > 0 && { marks: kept }) };
  });
