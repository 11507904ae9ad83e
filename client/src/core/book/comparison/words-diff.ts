/** A stretch of text that two texts share, or that only one of them has. */
export interface TextChange {
  readonly change: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** With more differences than this, the whole middle is shown as removed and added: nobody reads confetti. */
const MAX_DIFFERENCES = 400;

/** Steps that comparisons of many texts share. With none left, what differs is shown as removed and added. */
export interface DiffBudget {
  left: number;
}

const tokensOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu) ?? [];

/** Differences between two texts, word by word: without the added it is the one, without the removed the other. */
export function wordsDiff(
  before: string,
  after: string,
  budget: DiffBudget = { left: Number.POSITIVE_INFINITY },
): TextChange[] {
  const [a, b] = [tokensOf(before), tokensOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const out = new Stretches();
  for (const token of a.slice(0, head)) out.put('same', token);
  middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail), budget, out);
  for (const token of a.slice(a.length - tail)) out.put('same', token);
  return out.list;
}

/** Puts like stretches together. */
class Stretches {
  readonly list: { change: TextChange['change']; text: string }[] = [];

  put(change: TextChange['change'], text: string): void {
    const last = this.list.at(-1);
    if (last?.change === change) last.text += text;
    else if (text !== '') this.list.push({ change, text });
  }
}

/** The shortest way from one list to the other (Myers 1986). */
function middle(a: readonly string[], b: readonly string[], budget: DiffBudget, out: Stretches): void {
  // One that is empty has nothing in common with the other.
  const trace = a.length === 0 || b.length === 0 ? undefined : wayThrough(a, b, budget);
  if (!trace) {
    out.put('removed', a.join(''));
    out.put('added', b.join(''));
    return;
  }
  const acts: (readonly [TextChange['change'], string])[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d--) {
    const reach = (k: number): number => trace[d]?.[k + d + 1] ?? -1;
    const k = x - y;
    const down = k === -d || (k !== d && reach(k - 1) < reach(k + 1));
    const fromX = down ? reach(k + 1) : reach(k - 1);
    const fromY = fromX - (down ? k + 1 : k - 1);
    const [startX, startY] = d === 0 ? [0, 0] : [fromX, fromY];
    while (x > startX && y > startY && a[x - 1] === b[y - 1]) {
      acts.push(['same', a[x - 1] ?? '']);
      x--;
      y--;
    }
    if (d === 0) break;
    if (down) acts.push(['added', b[y - 1] ?? '']);
    else acts.push(['removed', a[x - 1] ?? '']);
    [x, y] = [fromX, fromY];
  }
  for (const [change, token] of acts.reverse()) out.put(change, token);
}

/**
 * The furthest place on each diagonal before each number of differences, from diagonal -1 less than that number on;
 * `undefined` with too many of them.
 */
function wayThrough(
  a: readonly string[],
  b: readonly string[],
  budget: DiffBudget,
): Int32Array[] | undefined {
  const most = Math.min(a.length + b.length, MAX_DIFFERENCES);
  const zero = most + 1;
  const reach = new Int32Array(2 * most + 3).fill(-1);
  reach[zero + 1] = 0;
  const at = (k: number): number => reach[zero + k] ?? -1;
  const trace: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    budget.left -= d + 1;
    if (budget.left < 0) return undefined;
    trace.push(reach.slice(zero - d - 1, zero + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
      let x = down ? at(k + 1) : at(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[zero + k] = x;
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return undefined;
}
