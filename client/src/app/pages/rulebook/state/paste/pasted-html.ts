import { LIMITS } from '../../../../../core/book/document/limits.ts';
import { wordLists } from './word-lists.ts';

/** Elements that begin and end a line. */
const BLOCKS = 'p, div, ul, ol, li, h1, h2, h3, h4, h5, h6, blockquote, pre, table, caption, tr, td, th';
const HEADINGS = 'h1, h2, h3, h4, h5, h6, th';
/** Most head rows of a table, as the schema has it. */
const MAX_HEAD_ROWS = 5;
/** Attribute of the line breaks that stand in for the edges of a block. */
const EDGE = 'data-edge';

/**
 * HTML of another program in the form that the schema reads: tables with captions and one line of cells each, lists of Word
 * as lists, headings that are not bold as well. What comes from a rulebook stays as it is.
 */
export function pastedHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  if (body.querySelector('[data-pm-slice]')) return html;
  wordLists(body);
  for (const link of body.querySelectorAll<HTMLAnchorElement>('a[href]')) sayAddress(link);
  for (const heading of body.querySelectorAll<HTMLElement>(HEADINGS)) withoutWeight(heading);
  for (const table of body.querySelectorAll('table')) {
    if (!table.parentElement?.closest('table')) table.replaceWith(...tablesOf(table));
  }
  return body.innerHTML;
}

/** A rulebook has no links to other places: their addresses stand behind their words, as in text of a Word document. */
function sayAddress(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href')?.trim() ?? '';
  if (!/^(?:https?|mailto):/i.test(href)) return;
  const address = href.replace(/^mailto:/i, '');
  const words = link.textContent.trim();
  const bare = (text: string): string => text.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  if (words !== '' && bare(words) !== bare(address)) link.append(` (${address})`);
}

/** Headings are bold by their style. */
function withoutWeight(heading: HTMLElement): void {
  heading.style.removeProperty('font-weight');
  for (const inner of heading.querySelectorAll<HTMLElement>('*')) inner.style.removeProperty('font-weight');
  for (const bold of heading.querySelectorAll('b, strong')) bold.replaceWith(...bold.childNodes);
}

/** A table as the schema has it, in as many as its rows fill; of a table of one cell, the text in it. */
function tablesOf(table: HTMLTableElement): Node[] {
  const rows = [...table.rows];
  const only = rows.length === 1 && rows[0]?.cells.length === 1 ? rows[0].cells[0] : undefined;
  if (only) return [...only.childNodes];
  const head = headRowsOf(table);
  const grid = gridOf(rows);
  const made: Node[] = [];
  for (let at = 0; at < grid.length; at += LIMITS.rows) {
    const figure = document.createElement('figure');
    figure.dataset['type'] = 'table';
    figure.dataset['rulebook'] = JSON.stringify({ headRows: at === 0 ? head : 0 });
    const caption = document.createElement('figcaption');
    if (at === 0 && table.caption) caption.append(...lineOf(table.caption));
    const body = document.createElement('table');
    for (const cells of grid.slice(at, at + LIMITS.rows)) {
      const row = body.insertRow();
      for (const content of cells) row.insertCell().append(...content);
    }
    figure.append(caption, body);
    made.push(figure);
  }
  return made;
}

function headRowsOf(table: HTMLTableElement): number {
  const isHead = (row: HTMLTableRowElement): boolean =>
    row.parentElement === table.tHead || [...row.cells].every(({ tagName }) => tagName === 'TH');
  const rows = [...table.rows];
  const first = rows.findIndex((row) => !isHead(row));
  if (first < 0) return 1;
  const [top] = rows;
  if (first > 0 || rows.length === 1 || !top || ![...top.cells].every(isBold))
    return Math.min(MAX_HEAD_ROWS, first);
  // Google Docs has no other heads than bold ones.
  for (const cell of top.cells) withoutWeight(cell);
  return 1;
}

/** True if a cell holds words, and all of them are bold. */
function isBold(cell: HTMLElement): boolean {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  let words = false;
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (!text.nodeValue?.trim()) continue;
    words = true;
    let around = text.parentElement;
    while (around && around !== cell && !setsBold(around)) around = around.parentElement;
    if (!around || !setsBold(around)) return false;
  }
  return words;
}

const setsBold = ({ tagName, style }: HTMLElement): boolean =>
  style.fontWeight === ''
    ? tagName === 'B' || tagName === 'STRONG'
    : /^(?:bold|[6-9]00)$/.test(style.fontWeight);

/** The contents of the cells, with an empty one for each further place of a wide or a high cell. */
function gridOf(rows: readonly HTMLTableRowElement[]): Node[][][] {
  const grid: (Node[] | undefined)[][] = rows.map(() => []);
  rows.forEach((row, y) => {
    let x = 0;
    for (const cell of row.cells) {
      while (grid[y]?.[x]) x++;
      const height = cell.rowSpan === 0 ? rows.length : cell.rowSpan;
      const width = Math.min(cell.colSpan, LIMITS.cells);
      for (let down = 0; down < height && y + down < rows.length; down++) {
        for (let right = 0; right < width; right++) (grid[y + down] ?? [])[x + right] = [];
      }
      (grid[y] ?? [])[x] = lineOf(cell);
      x += width;
    }
  });
  const filled = grid.filter((cells) => cells.length > 0);
  const width = Math.min(LIMITS.cells, Math.max(0, ...filled.map(({ length }) => length)));
  return filled.map((cells) => {
    const padded = Array.from({ length: Math.max(width, cells.length) }, (_, x) => cells[x] ?? []);
    // A table has no more columns than this: what is beyond them follows in the last one.
    const beyond = padded.slice(width).flatMap((content) => [document.createTextNode(' '), ...content]);
    return [...padded.slice(0, width - 1), [...(padded[width - 1] ?? []), ...beyond]];
  });
}

/** All that is in a cell as one run of inlines, with a line break for the edge of each block. */
function lineOf(cell: HTMLElement): Node[] {
  for (const block of cell.querySelectorAll(BLOCKS)) {
    block.before(edge());
    block.after(edge());
    block.replaceWith(...block.childNodes);
  }
  let words = false;
  let last: Element | undefined;
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const idle: Element[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Element && node.hasAttribute(EDGE)) {
      if (words) last = node;
      else idle.push(node);
      words = false;
    } else if (
      node instanceof HTMLBRElement ||
      (node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
    ) {
      words = true;
    }
  }
  if (last && !words) idle.push(last);
  for (const one of idle) one.remove();
  return [...cell.childNodes];
}

function edge(): HTMLElement {
  const made = document.createElement('br');
  made.setAttribute(EDGE, '');
  return made;
}
