/**
 * Cells on the clipboard as spreadsheets write them: tab-separated text in which a cell that holds a
 * line break or a tab is quoted, and an HTML table beside it.
 */

/** Most cells taken from the clipboard at once. */
export const MAX_PASTED_CELLS = 500_000;

/** Rows as tab-separated text. */
export function toClipboardText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quoted).join('\t')).join('\n');
}

function quoted(cell: string): string {
  return /[\t\n\r]|^"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Rows as an HTML table that spreadsheets take cell for cell, line breaks within them. */
export function toClipboardHtml(rows: readonly (readonly string[])[]): string {
  const encode = (cell: string) =>
    cell.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char).replace(/\r\n?|\n/g, '<br>');
  const body = rows
    .map(
      (row) =>
        `<tr>${row.map((cell) => `<td style="white-space:pre-wrap">${encode(cell)}</td>`).join('')}</tr>`,
    )
    .join('');
  // Without this Excel would begin a new row at every line break.
  return `<style>br{mso-data-placement:same-cell}</style><table>${body}</table>`;
}

/**
 * Rows of tab-separated text. A cell in quotation marks may hold tabs and line breaks; one that holds
 * neither, nor a doubled mark, is taken with its marks, because Excel does not quote it.
 */
export function parseClipboardText(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  let row = rows[0] as string[];
  for (;;) {
    const cell = readCell(text, at);
    row.push(cell.text);
    at = cell.end;
    if (at >= text.length) break;
    if (text[at] === '\t') {
      at++;
      continue;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    // Excel ends the last row with a line break too.
    if (at >= text.length) break;
    row = [];
    rows.push(row);
  }
  const width = rows.reduce((most, one) => Math.max(most, one.length), 0);
  return rows.map((one) => (one.length < width ? [...one, ...Array(width - one.length).fill('')] : one));
}

function readCell(text: string, start: number): { text: string; end: number } {
  if (text[start] === '"') {
    const close = closingQuote(text, start + 1);
    if (close !== undefined) {
      const inner = text.slice(start + 1, close);
      if (/[\t\n\r]|""/.test(inner)) {
        // Cells know one kind of line break.
        return { text: inner.replaceAll('""', '"').replace(/\r\n?/g, '\n'), end: close + 1 };
      }
    }
  }
  let end = start;
  while (end < text.length && text[end] !== '\t' && text[end] !== '\n' && text[end] !== '\r') end++;
  return { text: text.slice(start, end), end };
}

/** The mark that ends a quoted cell: not doubled, and followed by the next cell or row. */
function closingQuote(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') {
      at++;
      continue;
    }
    const next = text[at + 1];
    return next === undefined || next === '\t' || next === '\n' || next === '\r' ? at : undefined;
  }
  return undefined;
}

/** Rows for a selection of `height` by `width`: one cell or row fills it, as often as it fits. */
export function spread(
  rows: readonly (readonly string[])[],
  height: number,
  width: number,
): readonly (readonly string[])[] {
  const ownWidth = rows[0]?.length ?? 0;
  const times = (size: number, room: number) => (size > 0 && room % size === 0 ? room : size);
  const tall = times(rows.length, height);
  const wide = times(ownWidth, width);
  if (tall === rows.length && wide === ownWidth) return rows;
  return Array.from({ length: tall }, (_, y) =>
    Array.from({ length: wide }, (__, x) => rows[y % rows.length]?.[x % ownWidth] ?? ''),
  );
}
