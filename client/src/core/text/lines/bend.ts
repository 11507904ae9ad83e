import type { GlyphRun, GlyphWord } from '../../scene/display/display-list.ts';
import type { Rect } from '../../scene/display/matrix.ts';
import type { PlacedIcon, PlacedText } from './set-text.ts';

/**
 * Bends set text along an arc: the middle line over the width of its box sweeps `degrees`; other lines follow on
 * circles about the same centre. Each letter with its diacritics turns as a whole about the middle of its advance.
 */
export function bend(text: PlacedText, box: Rect, degrees: number): PlacedText {
  const baselines = [...new Set(text.runs.map(({ y }) => y as number))].sort((a, b) => a - b);
  const middle = baselines[Math.floor((baselines.length - 1) / 2)] ?? box.y + box.h / 2;
  const radius = box.w / ((degrees * Math.PI) / 180);
  // Half of the arc's rise above the line, half below.
  const rise = radius * (1 - Math.cos((degrees * Math.PI) / 360));
  const arc: Arc = { cx: box.x + box.w / 2, cy: middle + radius - rise / 2, radius, shift: rise / 2 };
  return {
    runs: text.runs.map((run) => ({ ...run, words: run.words.flatMap((word) => bendWord(run, word, arc)) })),
    icons: text.icons.map((icon) => bendIcon(icon, arc)),
  };
}

interface Arc {
  readonly cx: number;
  readonly cy: number;
  /** Below 0 the centre is above the text. */
  readonly radius: number;
  /** Height by which the arc was raised from the line. */
  readonly shift: number;
}

function onArc(arc: Arc, x: number, y: number): { x: number; y: number; turn: number } {
  const turn = (x - arc.cx) / arc.radius;
  const reach = arc.cy - (y - arc.shift);
  return { x: arc.cx + reach * Math.sin(turn), y: arc.cy - reach * Math.cos(turn), turn };
}

function bendWord(run: GlyphRun, word: GlyphWord, arc: Arc): GlyphWord[] {
  const starts = [...new Set(word.clusters)].sort((a, b) => a - b);
  const letters: GlyphWord[] = [];
  for (let from = 0; from < word.glyphs.length; ) {
    let to = from + 1;
    while (to < word.glyphs.length && word.clusters[to] === word.clusters[from]) to++;
    const left = (word.offsets[2 * from] ?? 0) * run.size;
    const right = to < word.glyphs.length ? (word.offsets[2 * to] ?? 0) * run.size : word.width;
    const { x, y, turn } = onArc(arc, word.x + (left + right) / 2, run.y);
    const half = (right - left) / 2;
    const cluster = word.clusters[from] ?? 0;
    const end = starts[starts.indexOf(cluster) + 1] ?? word.text.length;
    letters.push({
      text: word.text.slice(cluster, end),
      x: x - half * Math.cos(turn),
      y: y - half * Math.sin(turn),
      turn,
      width: right - left,
      glyphs: word.glyphs.slice(from, to),
      offsets: word.offsets
        .slice(2 * from, 2 * to)
        .map((value, at) => (at % 2 === 0 ? value - left / run.size : value)),
      clusters: word.clusters.slice(from, to).map(() => 0),
    });
    from = to;
  }
  return letters;
}

function bendIcon(icon: PlacedIcon, arc: Arc): PlacedIcon {
  const { box } = icon;
  const bottom = box.y + box.h;
  const { x, y, turn } = onArc(arc, box.x + box.w / 2, bottom);
  const placed = { ...box, x: x - box.w / 2, y: y - box.h };
  return { ...icon, box: placed, turn: { degrees: (turn * 180) / Math.PI, x, y } };
}
