import type { DisplayList, GlyphRun } from '../scene/display/display-list.ts';
import { IDENTITY, type Matrix, multiply } from '../scene/display/matrix.ts';

/** Text that comes nearer to the cut than a printer allows. */
export interface SafeFault {
  readonly text: string;
  /** From the cut, in millimetres; negative is beyond it. */
  readonly distance: number;
}

/** Distances below a printer's tolerance, in millimetres. */
const SLACK_MM = 0.05;
/** Height of letters above and below the line, as a share of the type size. */
const ASCENT = 0.72;
const DESCENT = 0.22;
const MAX_TEXT = 40;

/** @param safe millimetres inside the cut that text must keep */
export function safeFaults(list: DisplayList, safe: number): SafeFault[] {
  const faults: SafeFault[] = [];
  const stack: Matrix[] = [];
  let matrix = IDENTITY;
  for (const op of list.ops) {
    if (op.op === 'push') {
      stack.push(matrix);
      matrix = multiply(matrix, op.matrix);
    } else if (op.op === 'pop') {
      matrix = stack.pop() ?? IDENTITY;
    } else if (op.op === 'text') {
      let nearest = Infinity;
      for (const run of op.runs) nearest = Math.min(nearest, distance(run, matrix, list));
      if (nearest < safe - SLACK_MM) {
        const words = op.runs.flatMap((run) => run.words.map(({ text }) => text)).join(' ');
        faults.push({
          text: words.length > MAX_TEXT ? `${words.slice(0, MAX_TEXT - 1)}…` : words,
          distance: Math.round(nearest * 100) / 100,
        });
      }
    }
  }
  return faults;
}

/** From a line of text to the nearest edge of the trim. */
function distance(run: GlyphRun, [a, b, c, d, e, f]: Matrix, list: DisplayList): number {
  const [first, last] = [run.words[0], run.words.at(-1)];
  if (!first || !last) return Infinity;
  const xs = [first.x as number, (last.x as number) + (last.width as number)];
  const ys = [(run.y as number) - ASCENT * run.size, (run.y as number) + DESCENT * run.size];
  let nearest = Infinity;
  for (const x of xs) {
    for (const y of ys) {
      const [px, py] = [a * x + c * y + e, b * x + d * y + f];
      nearest = Math.min(nearest, px, py, list.w - px, list.h - py);
    }
  }
  return nearest;
}
