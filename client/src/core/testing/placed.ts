/** Reads a page of `mutool draw -F trace`: filled boxes and lines, in millimetres from the top left. */

interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly color: string;
  /** The box without its clips. */
  readonly whole: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

/** A card: a large box, with the centre of the green square painted on it next. */
export interface Placement extends Box {
  readonly head: { readonly x: number; readonly y: number } | undefined;
}

export interface TracedLine {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** Millimetres. */
  readonly width: number;
  /** As `#rrggbb`. */
  readonly color: string;
}

export interface TracedPage {
  readonly cards: readonly Placement[];
  readonly boxes: readonly Box[];
  readonly lines: readonly TracedLine[];
}

const MM_PER_PT = 25.4 / 72;
const LARGE_MM = 30;
const GREEN = '0 1 0';

export function pageOf(trace: string): TracedPage {
  const boxes: Box[] = [];
  let clip = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  const clips: (typeof clip)[] = [];
  const lines: TracedLine[] = [];
  for (const [, kind, attributes = '', body = ''] of trace.matchAll(
    /<(fill|stroke|clip)_path ([^>]*)>([\s\S]*?)<\/\1_path>|<pop_clip\/>/g,
  )) {
    if (kind === undefined) {
      clip = clips.pop() ?? clip;
      continue;
    }
    const points = pointsOf(attributes, body);
    const xs = points.map(({ x }) => x);
    const ys = points.map(({ y }) => y);
    if (kind === 'clip') {
      clips.push(clip);
      clip = {
        left: Math.max(clip.left, Math.min(...xs)),
        top: Math.max(clip.top, Math.min(...ys)),
        right: Math.min(clip.right, Math.max(...xs)),
        bottom: Math.min(clip.bottom, Math.max(...ys)),
      };
    } else if (kind === 'fill') {
      // Clipped parts are not on paper.
      const [x, y] = [Math.max(clip.left, Math.min(...xs)), Math.max(clip.top, Math.min(...ys))];
      const [right, bottom] = [Math.min(clip.right, Math.max(...xs)), Math.min(clip.bottom, Math.max(...ys))];
      const color = /color="([^"]*)"/.exec(attributes)?.[1] ?? '';
      const [left, up] = [Math.min(...xs), Math.min(...ys)];
      const whole = { x: left, y: up, w: Math.max(...xs) - left, h: Math.max(...ys) - up };
      boxes.push({ x, y, w: right - x, h: bottom - y, color, whole });
    } else {
      const [from, to] = points;
      const width = Number(/linewidth="([^"]*)"/.exec(attributes)?.[1]) * MM_PER_PT;
      const shares = (/color="([^"]*)"/.exec(attributes)?.[1] ?? '').split(' ').map(Number);
      const color = `#${shares
        .map((share) =>
          Math.round(255 * share)
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`;
      if (from && to) lines.push({ x1: from.x, y1: from.y, x2: to.x, y2: to.y, width, color });
    }
  }
  const cards = boxes.flatMap((box, index): Placement[] => {
    if (box.w < LARGE_MM || box.h < LARGE_MM) return [];
    const next = boxes[index + 1];
    const head = next?.color === GREEN ? { x: next.x + next.w / 2, y: next.y + next.h / 2 } : undefined;
    return [{ ...box, head }];
  });
  return { cards, boxes, lines };
}

function pointsOf(attributes: string, body: string): { x: number; y: number }[] {
  const text = /transform="([^"]*)"/.exec(attributes)?.[1] ?? '1 0 0 1 0 0';
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = text.split(' ').map(Number);
  return [...body.matchAll(/<(?:moveto|lineto) x="([^"]*)" y="([^"]*)"/g)].map(([, px, py]) => {
    const [x, y] = [Number(px), Number(py)];
    return { x: (a * x + c * y + e) * MM_PER_PT, y: (b * x + d * y + f) * MM_PER_PT };
  });
}
