import type { Block, BlockOf, Inline, Live, Rulebook } from '../document/schema.ts';
import { termUses } from '../references/index-terms.ts';
import { type Numbering, numberBlocks } from '../references/numbering.ts';
import { calloutTitle } from '../typesetting/callout-title.ts';

/** Facts of the project that a text without looks says. */
export interface TextFacts {
  readonly components: readonly { readonly name: string; readonly count: number }[];
  /** Texts of the values, by their formulas; a formula that has none stays as it is. */
  readonly values: ReadonlyMap<string, string>;
  /** Parts of the table as a game begins. */
  readonly setUp?: readonly string[];
}

export const NO_TEXT_FACTS: TextFacts = { components: [], values: new Map() };

const valueText = ({ values }: TextFacts, formula: string): string => values.get(formula) ?? `{{${formula}}}`;

interface Writing {
  readonly doc: Rulebook;
  readonly facts: TextFacts;
  readonly numbers: Numbering;
}

/**
 * A rulebook as text alone, for mails, notebooks and programs that know nothing else. Paragraphs are single lines; page
 * numbers become titles, because there are no pages, and the index goes for the same reason.
 */
export function writePlainText(doc: Rulebook, facts: TextFacts = NO_TEXT_FACTS): string {
  const numbers = numberBlocks(doc, (formula) => valueText(facts, formula));
  const writing: Writing = { doc, facts, numbers };
  const head = [doc.title.toUpperCase(), doc.subtitle].filter((line) => line !== '').join('\n');
  return `${joined([head, ...textsOf(writing, doc.blocks)])}\n`;
}

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');

const textsOf = (writing: Writing, blocks: readonly Block[]): string[] =>
  blocks.map((block) => blockText(writing, block));

/** Text with every line but the first moved in, below a sign. */
const below = (sign: string, text: string): string =>
  withLines(text, (line, at) => `${at === 0 ? sign : ' '.repeat(sign.length)}${line}`);

/** A text with each line changed, and without the spaces at their ends. */
const withLines = (text: string, changed: (line: string, at: number) => string): string =>
  text
    .split('\n')
    .map((line, at) => changed(line, at).trimEnd())
    .join('\n');

function blockText(writing: Writing, block: Block): string {
  const words = (content: readonly Inline[]): string => inlineText(writing, content);
  switch (block.type) {
    case 'heading':
      return heading(words(block.content), block.level);
    case 'paragraph':
      return words(block.content);
    case 'rule':
      return below(`${writing.numbers.places.get(block.id)?.number ?? ''} `, words(block.content));
    case 'definition':
      return `${block.term.trim()}: ${words(block.content)}`.trimEnd();
    case 'list':
      return block.items
        .map((item, at) =>
          below(block.marker === 'steps' ? `${at + 1}. ` : '- ', itemText(writing, item.blocks)),
        )
        .join('\n');
    case 'callout': {
      const title = calloutTitle(block, writing.doc.language).toUpperCase();
      return withLines(joined([title, ...textsOf(writing, block.blocks)]), (line) => `| ${line}`);
    }
    case 'columns':
      return joined(textsOf(writing, block.blocks));
    case 'table':
      return joined([words(block.caption), tableText(block, words)]);
    case 'figure':
      return joined([block.alt && `[${block.alt}]`, words(block.caption)]);
    case 'cards':
      return joined([`[${block.names.join(', ')}]`, words(block.caption)]);
    case 'pageBreak':
      return '';
    case 'live':
      return liveText(writing, block);
  }
}

/** The blocks of an item follow each other without an empty line, as its lines do on a page. */
const itemText = (writing: Writing, blocks: readonly Block[]): string =>
  textsOf(writing, blocks)
    .filter((text) => text !== '')
    .join('\n');

/** Chapters have a line of `=` below them, sections one of `-`. */
function heading(text: string, level: number): string {
  if (text === '' || level > 2) return text;
  return `${text}\n${(level === 1 ? '=' : '-').repeat([...text].length)}`;
}

/** Cells side by side, each column as wide as its longest cell. */
function tableText(
  { rows, headRows, align }: BlockOf<'table'>,
  words: (content: readonly Inline[]) => string,
): string {
  const cells = rows.map((row) => row.map((cell) => words(cell).replaceAll('\n', ' ').trim()));
  const widths = (cells[0] ?? []).map((_, at) =>
    Math.max(...cells.map((row) => [...(row[at] ?? '')].length)),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, at) => {
        const room = Math.max(0, (widths[at] ?? 0) - [...cell].length);
        const before = align?.[at] === 'right' ? room : align?.[at] === 'center' ? Math.floor(room / 2) : 0;
        return ' '.repeat(before) + cell + ' '.repeat(room - before);
      })
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [...lines.slice(0, headRows), ...(headRows > 0 ? [rule] : []), ...lines.slice(headRows)].join('\n');
}

function liveText(writing: Writing, { show }: Live): string {
  const { doc, facts, numbers } = writing;
  switch (show) {
    case 'contents':
      return numbers.headings
        .filter(({ level, title }) => level <= 2 && title !== '')
        .map(({ level, title }) => `${level === 1 ? '' : '  '}${title}`)
        .join('\n');
    case 'glossary':
      return termUses(doc)
        .map(({ definition: { term, content } }) =>
          `${term.trim()}: ${inlineText(writing, content)}`.trimEnd(),
        )
        .join('\n');
    case 'components':
      return facts.components.map(({ name, count }) => `${count} × ${name}`).join('\n');
    case 'setup':
      return (facts.setUp ?? []).map((words, at) => `${at + 1}. ${words}`).join('\n');
    case 'index':
    case 'icons':
      return '';
  }
}

const inlineText = (writing: Writing, content: readonly Inline[]): string =>
  content
    .map((inline) => wordsOf(writing, inline))
    .join('')
    .trim();

function wordsOf({ facts, numbers }: Writing, inline: Inline): string {
  switch (inline.type) {
    case 'text':
    case 'term':
      return inline.text;
    case 'break':
      return '\n';
    case 'icon':
      return `{${inline.name}}`;
    case 'card':
      return inline.name;
    case 'value':
      return valueText(facts, inline.formula);
    case 'reference': {
      const { number = '', title = '' } = numbers.places.get(inline.block) ?? {};
      return inline.show === 'number' && number !== '' ? number : title || number;
    }
  }
}
