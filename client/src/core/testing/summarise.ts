import type { DisplayList, Op } from '../scene/display/display-list.ts';

/** A display list as a few readable lines, numbers to a thousandth: for snapshots. */
export function summarise(list: DisplayList): string[] {
  let depth = 0;
  const lines = list.ops.map((op) => {
    if (op.op === 'pop') depth--;
    const line = '  '.repeat(depth) + describeOp(op);
    if (op.op === 'push') depth++;
    return line;
  });
  const issues = list.issues.map(({ zone, code, message }) => `! ${zone} ${code}: ${message}`);
  return [...lines, ...issues];
}

function describeOp(op: Op): string {
  if (op.op !== 'text') return rounded(op);
  const runs = op.runs.map((run) => {
    const words = run.words.map((word) => `${word.text}@${short(word.x)}`).join(' ');
    return `${run.face} ${short(run.size)} y${short(run.y)} ${run.color.join(',')} | ${words}`;
  });
  const { runs: _runs, ...rest } = op;
  return `${rounded(rest)}\n    ${runs.join('\n    ')}`;
}

const short = (value: number): number => Math.round(value * 1000) / 1000 + 0;

function rounded(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'number' ? short(item) : item));
}
