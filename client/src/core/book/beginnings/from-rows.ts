import { plainText } from '../../imposition/job/card-name.ts';
import { cellAt } from '../../records.ts';
import type { Column, Row } from '../../scene/card/row.ts';
import { BULLET } from '../../text/markup/markup.ts';
import { fittingParts } from '../document/fitting-parts.ts';
import { LIMITS } from '../document/limits.ts';
import type { Block, Inline, ListItem } from '../document/schema.ts';
import { readInlines } from '../markdown/inlines.ts';

/** Columns of a component whose rows become the sections of a rulebook. */
export interface RowChoice {
  /** Key of the column with the headings; empty for none. */
  readonly heading: string;
  readonly level: 1 | 2;
  /** Keys of the columns with texts and pictures, in the order in which they are set. */
  readonly texts: readonly string[];
}

interface TypedColumn extends Column {
  readonly type?: string;
}

const NAMES_OF_TEXTS = /^(?:text|rules?|body|content|description|effect)$/i;

/** The columns that most probably hold headings and texts. */
export function suggestedColumns(columns: readonly TypedColumn[]): RowChoice {
  const words = columns.filter(({ type = 'text' }) => type === 'text' || type === 'formula');
  const texts = words.filter(({ name }) => NAMES_OF_TEXTS.test(name.trim()));
  const heading = words.find((column) => !texts.includes(column));
  const rest = texts.length > 0 ? texts : words.filter((column) => column !== heading).slice(0, 1);
  return { heading: heading?.key ?? '', level: 1, texts: rest.map(({ key }) => key) };
}

/** The rows of a component as sections, in their order. Empty rows are passed over. */
export function blocksOfRows(
  rows: readonly Row[],
  columns: readonly TypedColumn[],
  { heading, level, texts }: RowChoice,
): Block[] {
  let ids = 0;
  const id = () => `r${ids++}`;
  const chosen = columns.filter(({ key }) => texts.includes(key));
  return rows.flatMap((row): Block[] => {
    const title = heading === '' ? '' : plainText(cellAt(row.cells, heading)).slice(0, LIMITS.text);
    const head: Block[] =
      title === '' ? [] : [{ type: 'heading', id: id(), level, content: [{ type: 'text', text: title }] }];
    const body = chosen.flatMap(({ key, type }): Block[] => {
      const cell = cellAt(row.cells, key).trim();
      if (cell === '') return [];
      return type === 'image' ? [figure(cell, title, id())] : textBlocks(resolved(cell, row, columns), id);
    });
    return [...head, ...body];
  });
}

const figure = (source: string, alt: string, id: string): Block => ({
  type: 'figure',
  id,
  source: source.slice(0, LIMITS.title),
  alt: alt.slice(0, LIMITS.alt),
  place: 'column',
  width: 1,
  caption: [],
});

/** A cell with the values of the columns that it names in braces; styles leave their words. */
function resolved(cell: string, row: Row, columns: readonly Column[]): string {
  return cell
    .replace(/\{([^{}]+)\}/g, (whole, name: string) => {
      const column = columns.find((one) => one.name.trim().toLowerCase() === name.trim().toLowerCase());
      return column ? cellAt(row.cells, column.key) : whole;
    })
    .replace(/\{[^{}:]+:([^{}]*)\}/g, '$1');
}

/** The text of a card as blocks: its paragraphs, lines and lists. */
function textBlocks(cell: string, id: () => string): Block[] {
  const paragraphs = cell
    .replace(/\r\n?/g, '\n')
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/?p>| \/ /gi, '\n\n')
    .split(/\n[ \t]*\n/);
  return paragraphs.flatMap((paragraph) => {
    const blocks: Block[] = [];
    let lines: Inline[] = [];
    let items: ListItem[] = [];
    const end = () => {
      blocks.push(...paragraphsOf(lines, id));
      for (let at = 0; at < items.length; at += LIMITS.listItems) {
        blocks.push({
          type: 'list',
          id: id(),
          marker: 'bullets',
          items: items.slice(at, at + LIMITS.listItems),
        });
      }
      lines = [];
      items = [];
    };
    for (const line of paragraph.split('\n')) {
      const inlines = readInlines(line.replace(BULLET, '').trim());
      if (inlines.length === 0) continue;
      if (BULLET.test(line)) {
        if (lines.length > 0) end();
        items.push({ id: id(), blocks: paragraphsOf(inlines, id) });
      } else {
        if (items.length > 0) end();
        lines.push(...(lines.length > 0 ? [{ type: 'break' as const }] : []), ...inlines);
      }
    }
    end();
    return blocks;
  });
}

const paragraphsOf = (content: readonly Inline[], id: () => string): Block[] =>
  fittingParts(content).map((part) => ({ type: 'paragraph', id: id(), content: part }));
