/** Results of rule expressions, by line. */

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Expression {
  readonly sourcePosition: Position;
  readonly values?: readonly { readonly value: Readonly<Record<string, unknown>>; readonly count: number }[];
  readonly children?: readonly Expression[];
}

/** A tree for each condition, `let` and `return`. */
export type Report = readonly Expression[];

/** Results of the conditions that begin on a line. */
export interface LineResult {
  readonly tone: 'true' | 'false' | 'failed' | 'value';
  readonly text: string;
}

function shown(value: Readonly<Record<string, unknown>>): string {
  const [kind, held] = Object.entries(value)[0] ?? [];
  if (kind === 'undefined') return (held as { causeMessage?: string }).causeMessage ?? 'no value';
  return typeof held === 'object' ? JSON.stringify(held) : String(held);
}

function toneOf(value: Readonly<Record<string, unknown>>): LineResult['tone'] {
  if ('undefined' in value) return 'failed';
  return 'boolValue' in value ? (value.boolValue === true ? 'true' : 'false') : 'value';
}

/** The outermost expression that begins on each line and was evaluated. */
export function resultsByLine(report: Report): Map<number, LineResult> {
  const results = new Map<number, LineResult>();
  const walk = ({ sourcePosition: { line }, values = [], children = [] }: Expression) => {
    const last = values.at(-1);
    if (last && !results.has(line)) results.set(line, { tone: toneOf(last.value), text: shown(last.value) });
    children.forEach(walk);
  };
  report.forEach(walk);
  return results;
}

/** Start and end offset of a line in a text; lines count from one. */
export function lineOffsets(text: string, line: number): [number, number] {
  const lines = text.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0);
  return [start, start + (lines[line - 1]?.length ?? 0)];
}
