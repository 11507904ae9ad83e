/** Search in cells. */
export interface Search {
  readonly text: string;
  /** The text is a regular expression. */
  readonly expression: boolean;
  readonly matchCase: boolean;
  /** The whole cell must match. */
  readonly wholeCell: boolean;
}

/** Longest pattern, in characters. */
export const MAX_PATTERN_LENGTH = 1_000;
/** Longest text a replacement may make of a cell, in characters. */
export const MAX_REPLACED_LENGTH = 20_000;

export interface Found {
  /** Place in the list of cells. */
  readonly index: number;
  readonly matches: number;
  /** The cell with every match replaced, when a replacement was given and it fits a cell. */
  readonly text: string | undefined;
}

/** The search as a regular expression; the error names the fault of the pattern. */
export function compileSearch({ text, expression, matchCase, wholeCell }: Search): RegExp {
  if (text === '') throw new Error('There is nothing to look for.');
  if (text.length > MAX_PATTERN_LENGTH) {
    throw new Error(`At most ${MAX_PATTERN_LENGTH} characters can be looked for.`);
  }
  const pattern = expression ? text : text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  try {
    return new RegExp(wholeCell ? `^(?:${pattern})$` : pattern, matchCase ? 'gu' : 'giu');
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /, '') : String(error);
    throw new Error(`This is no regular expression: ${reason}.`);
  }
}

/**
 * Cells that match, and their replacements. A replacement of a regular expression may use `$1` and `$<name>`; of a
 * plain text it is literal. A pattern may run for ever, so this belongs in a worker that can be terminated.
 */
export function findIn(cells: readonly string[], search: Search, replacement?: string): Found[] {
  const pattern = compileSearch(search);
  const found: Found[] = [];
  for (const [index, cell] of cells.entries()) {
    let matches = 0;
    for (const match of cell.matchAll(pattern)) if (match[0] !== '' || cell === '') matches++;
    if (matches === 0) continue;
    const text =
      replacement === undefined
        ? undefined
        : search.expression
          ? cell.replace(pattern, replacement)
          : cell.replace(pattern, () => replacement);
    found.push({
      index,
      matches,
      text: text !== undefined && text.length <= MAX_REPLACED_LENGTH ? text : undefined,
    });
  }
  return found;
}
