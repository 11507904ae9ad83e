/**
 * Pages of words, in a few marks: `## heading`, `### smaller`, `- item`, `1. item`, `> remark`,
 * `| cell | cell |` rows (the first is the head), `{figure:name}` on a line of its own; inside a
 * line `**strong**`, `*emphasis*`, `` `code` ``, `[text](address)`. A blank line ends a block.
 */

export type Inline =
  | { readonly kind: 'text' | 'strong' | 'emphasis' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string };

export type Block =
  | {
      readonly kind: 'heading';
      readonly level: 2 | 3;
      readonly id: string;
      readonly content: readonly Inline[];
    }
  | { readonly kind: 'paragraph' | 'remark'; readonly content: readonly Inline[] }
  | {
      readonly kind: 'list';
      readonly ordered: boolean;
      /** Number of the first item of an ordered list. */
      readonly start: number;
      readonly items: readonly (readonly Inline[])[];
    }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'figure'; readonly name: string };

const INLINE = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[(.+?)\]\((.+?)\)/g;

/** The marks inside a line. */
export function parseInline(line: string): readonly Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of line.matchAll(INLINE)) {
    if (match.index > end) parts.push({ kind: 'text', text: line.slice(end, match.index) });
    const [whole, strong, emphasis, code, text, to] = match;
    if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else if (emphasis !== undefined) parts.push({ kind: 'emphasis', text: emphasis });
    else if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (text !== undefined && to !== undefined) parts.push({ kind: 'link', text, to });
    end = match.index + whole.length;
  }
  if (end < line.length) parts.push({ kind: 'text', text: line.slice(end) });
  return parts;
}

/** Text of a line without its markup. */
export const plainText = (content: readonly Inline[]): string => content.map(({ text }) => text).join('');

/** A fragment identifier of a heading. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

function parseBlock(lines: readonly string[]): Block {
  const [first = ''] = lines;
  const heading = /^(#{2,3}) (.+)$/.exec(first);
  if (heading?.[1] && heading[2]) {
    const content = parseInline(heading[2]);
    return {
      kind: 'heading',
      level: heading[1].length === 2 ? 2 : 3,
      id: slugOf(plainText(content)),
      content,
    };
  }
  const figure = /^\{figure:([\w-]+)\}$/.exec(first);
  if (figure?.[1]) return { kind: 'figure', name: figure[1] };
  const number = /^(\d+)\. /.exec(first)?.[1];
  const ordered = number !== undefined;
  if (ordered || first.startsWith('- ')) {
    const items: string[] = [];
    for (const line of lines) {
      const item = /^(?:- |\d+\. )(.*)$/.exec(line)?.[1];
      if (item !== undefined) items.push(item);
      else items.push(`${items.pop() ?? ''} ${line.trim()}`);
    }
    return { kind: 'list', ordered, start: Number(number ?? 1), items: items.map(parseInline) };
  }
  if (first.startsWith('|')) {
    const rows = lines.map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => parseInline(cell.trim())),
    );
    return { kind: 'table', rows };
  }
  if (first.startsWith('> ')) {
    return { kind: 'remark', content: parseInline(lines.map((line) => line.replace(/^> /, '')).join(' ')) };
  }
  return { kind: 'paragraph', content: parseInline(lines.join(' ')) };
}

/** A text's blocks in their order. */
export function parseProse(source: string): readonly Block[] {
  return source
    .trim()
    .split(/\n\s*\n/)
    .map((block) => parseBlock(block.split('\n').map((line) => line.trim())));
}

/** Number of words. */
export function countWords(source: string): number {
  const text = (block: Block): string => {
    switch (block.kind) {
      case 'figure':
        return '';
      case 'list':
        return block.items.map(plainText).join(' ');
      case 'table':
        return block.rows.flat().map(plainText).join(' ');
      default:
        return plainText(block.content);
    }
  };
  return parseProse(source)
    .map(text)
    .join(' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
