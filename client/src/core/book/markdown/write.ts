import type { Alignment, Block, BlockOf, Figure, List, Rulebook, Table } from '../document/schema.ts';
import { allBlocks, inlinesOf } from '../document/walk.ts';
import { writeInlines } from './inlines.ts';

/**
 * A rulebook as Markdown. What Markdown has no form for stands in comments before its block, which other programs leave
 * out: reading it again makes the same blocks.
 */
export function writeMarkdown(doc: Rulebook): string {
  const head = ['---', `title: ${JSON.stringify(doc.title)}`];
  if (doc.subtitle) head.push(`subtitle: ${JSON.stringify(doc.subtitle)}`);
  head.push(`language: ${doc.language}`, '---');
  return `${[...head, '', ...linesOf(doc.blocks, targetsOf(doc))].join('\n')}\n`;
}

/** Ids that the text refers to: only those are written. */
function targetsOf({ blocks }: Rulebook): ReadonlySet<string> {
  const targets = new Set<string>();
  for (const block of allBlocks(blocks)) {
    for (const inline of inlinesOf(block).flat()) {
      if (inline.type === 'term') targets.add(inline.definition);
      else if (inline.type === 'reference') targets.add(inline.block);
    }
  }
  return targets;
}

function linesOf(blocks: readonly Block[], targets: ReadonlySet<string>): string[] {
  const lines: string[] = [];
  for (const [at, block] of blocks.entries()) {
    if (at > 0) lines.push('');
    // Two lists side by side would be one.
    if (block.type === 'list' && blocks[at - 1]?.type === 'list') lines.push('<!-- -->', '');
    if (targets.has(block.id)) lines.push(comment('id', block.id));
    lines.push(...blockLines(block, targets));
  }
  return lines;
}

/** A comment with JSON, in which nothing can end it. */
function comment(kind: string, value?: unknown): string {
  if (value === undefined) return `<!-- ${kind} -->`;
  return `<!-- ${kind} ${JSON.stringify(value).replace(/[<>-]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)} -->`;
}

/** A line that is text, whatever it begins with. */
const plainLine = (line: string): string =>
  line.replace(/^(\s*)([#+:=~-])/, '$1\\$2').replace(/^(\s*\d+)([.)])/, '$1\\$2');

function blockLines(block: Block, targets: ReadonlySet<string>): string[] {
  switch (block.type) {
    case 'heading':
      return [`${'#'.repeat(block.level)} ${writeInlines(block.content)}`.trimEnd()];
    case 'paragraph':
      return paragraph(block);
    case 'rule':
      return [comment('rule', block.depth), ...paragraph(block)];
    case 'definition':
      return definition(block);
    case 'list':
      return list(block, targets);
    case 'callout': {
      const title = block.title ? ` ${block.title}` : '';
      const lines = [`[!${block.kind.toUpperCase()}]${title}`, ...linesOf(block.blocks, targets)];
      return lines.map((line) => `> ${line}`.trimEnd());
    }
    case 'columns':
      return [comment('columns', block.count), '', ...linesOf(block.blocks, targets), '', comment('end')];
    case 'table':
      return table(block);
    case 'figure':
      return figure(block);
    case 'cards':
      return [comment('cards', block.names), ...caption(block.caption)];
    case 'pageBreak':
      return [comment('break', block.to)];
    case 'live':
      return [comment('list', block.show)];
  }
}

function paragraph({ content }: { readonly content: BlockOf<'paragraph'>['content'] }): string[] {
  const text = writeInlines(content).trim();
  return [text === '' ? comment('empty') : plainLine(text)];
}

const caption = (content: Figure['caption']): string[] =>
  content.length === 0 ? [] : [`: ${writeInlines(content)}`.trimEnd()];

function definition({ term, variants, forbidden, content }: BlockOf<'definition'>): string[] {
  const more = variants.length + forbidden.length > 0 ? [comment('term', { variants, forbidden })] : [];
  const name = writeInlines([{ type: 'text', text: term }]).trim();
  return [...more, plainLine(name), `: ${writeInlines(content)}`.trimEnd()];
}

function list({ marker, items }: List, targets: ReadonlySet<string>): string[] {
  return items.flatMap(({ blocks }, at) => {
    const sign = marker === 'steps' ? `${at + 1}. ` : '- ';
    const [first = '', ...rest] = linesOf(blocks, targets);
    return [
      `${sign}${first}`,
      ...rest.map((line) => (line === '' ? '' : `${' '.repeat(sign.length)}${line}`)),
    ];
  });
}

/** The line below the head of a table says the alignment of its columns. */
const RULES: Readonly<Record<Alignment, string>> = { left: '---', center: ':---:', right: '---:' };

function table({ caption: words, headRows, widths, align, rows }: Table): string[] {
  const columns = rows[0]?.length ?? 0;
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = rows.map((cells) => row(cells.map((cell) => writeInlines(cell).trim())));
  const usual = headRows === 1 && widths === undefined;
  return [
    ...(usual ? [] : [comment('table', { headRows, ...(widths && { widths }) })]),
    // Tables of Markdown have a head always.
    ...(headRows === 0 ? [row(Array(columns).fill(''))] : lines.slice(0, 1)),
    row(Array.from({ length: columns }, (_, at) => RULES[align?.[at] ?? 'left'])),
    ...(headRows === 0 ? lines : lines.slice(1)),
    ...caption(words),
  ];
}

function figure({ source, alt, caption: words, place, width }: Figure): string[] {
  const usual = place === 'column' && width === 1;
  return [
    ...(usual ? [] : [comment('figure', { place, width })]),
    `![${alt.replace(/[\\[\]]/g, '\\$&').replace(/\s+/g, ' ')}](<${source.replace(/[\\<>]/g, '\\$&')}>)`,
    ...caption(words),
  ];
}
