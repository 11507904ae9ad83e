/** A stretch of text that two texts share, or that only one of them has. */
export interface TextChange {
  readonly change: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** With more differences than this, the whole middle is shown as removed and added: nobody reads confetti. */
const MAX_DIFFERENCES = 400;

const tokensOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu) ?? [];

/** Differences between two texts, word by word: without the added it is the one, without the removed the other. */
export function wordsDiff(before: string, after: string): TextChange[] {
  const [a, b] = [tokensOf(before), tokensOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const out = new Stretches();
  for (const token of a.slice(0, head)) out.put('same', token);
  middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail), out);
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
function middle(a: readonly string[], b: readonly string[], out: Stretches): void {
  const trace = wayThrough(a, b);
  if (!trace) {
    out.put('removed', a.join(''));
    out.put('added', b.join(''));
    return;
  }
  const acts: (readonly [TextChange['change'], string])[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d--) {
    const reach = trace[d] as Map<number, number>;
    const k = x - y;
    const down = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const fromX = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0);
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

/** The furthest place on each diagonal before each number of differences; `undefined` with too many of them. */
function wayThrough(a: readonly string[], b: readonly string[]): Map<number, number>[] | undefined {
  const reach = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let d = 0; d <= Math.min(a.length + b.length, MAX_DIFFERENCES); d++) {
    trace.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return undefined;
}
