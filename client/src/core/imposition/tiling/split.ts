import type { CellAxis, Span } from '../sheets/cells.ts';

/**
 * Splits a length into windows that overlap by an exact amount and are no longer than the room on a page. Pure
 * arithmetic in millimetres along one axis.
 */

/** One window: the printed part, and the part of it that stays after cutting. */
export interface Strip extends Span {
  /** The part between the cuts; the next piece is laid on top from its end on. */
  readonly keep: Span;
  /** Room for a glue tab after the window. */
  readonly tab: number;
}

export interface Split {
  readonly strips: readonly Strip[];
  /** Seams that go through cells because no shift of up to one pitch avoids it. */
  readonly cut: number;
}

export interface Joint {
  /** Printed on both neighbours. */
  readonly overlap: number;
  /** Length of the tab after every window but the last; its beginning carries the overlap. 0 without tabs. */
  readonly tab: number;
}

/** Room for rounding: a window of exactly the room's length fits. */
const SLACK_MM = 1e-6;
/** Least progress from one window to the next. */
const LEAST_STEP_MM = 5;
/** Most windows along one axis. */
export const MAX_STRIPS = 200;

interface Length {
  /** Everything printed: the trim with its bleed. */
  readonly printed: Span;
  readonly trim: Span;
  readonly room: number;
  readonly joint: Joint;
  readonly cells: CellAxis | undefined;
}

/** @returns undefined when the room is too small, or more than `MAX_STRIPS` windows would be needed */
export function split(length: Length): Split | undefined {
  const { joint, cells, room } = length;
  if (!cells?.hasSpaces) return splitAround(length);
  // No page holds what is longer than it.
  const spans = cells.spans.filter(({ from, to }) => to - from <= room);
  const all = splitAround({ ...length, cells: { pitch: cells.pitch, spans } });
  const plain = splitAround({ ...length, cells: cells.grid });
  if (!all || !plain) return plain;
  const through = plain.strips
    .slice(0, -1)
    .filter(({ to }) => !isWhole(to, joint, { pitch: cells.pitch, spans }));
  const fewer = plain.strips.length - all.strips.length || through.length - all.cut;
  return fewer > 0 ? all : { ...plain, cut: through.length };
}

function splitAround(length: Length): Split | undefined {
  const ends = endsOf(length);
  if (!ends) return undefined;
  const { printed, trim, joint } = length;
  const seams = ends.slice(0, -1).map(({ at }) => seamOf(at, length));
  const strips = ends.map(({ at }, index): Strip => {
    const last = index === ends.length - 1;
    const before = ends[index - 1];
    return {
      from: before ? before.at - joint.overlap : printed.from,
      to: last ? printed.to : at,
      keep: { from: seams[index - 1] ?? trim.from, to: seams[index] ?? trim.to },
      tab: last ? 0 : Math.max(0, joint.tab - joint.overlap),
    };
  });
  return { strips, cut: cutsIn(ends) };
}

/** The end of a window, and whether every cell near it is whole on one side or the other. */
interface End {
  readonly at: number;
  readonly whole: boolean;
}

const cutsIn = (ends: readonly End[]): number => ends.filter(({ whole }) => !whole).length;

/**
 * The fewest windows, and of the ways to place that many one with windows of about the same length, so that no page
 * holds a sliver.
 */
function endsOf(length: Length): End[] | undefined {
  const { printed, joint, cells } = length;
  const fewest = greedy(printed.from, length);
  if (!fewest) return undefined;
  const ends: End[] = [];
  let start = printed.from;
  let rest = fewest;
  while (rest.length > 1) {
    const latest = latestEnd(start, length);
    const even = start + (printed.to - start + (rest.length - 1) * joint.overlap) / rest.length;
    const wish = Math.min(latest, even);
    const near = cells ? goodEnds(wish, joint, cells) : [];
    let chosen: { end: End; rest: End[] } | undefined;
    for (const at of [wish, ...near]) {
      const whole = isWhole(at, joint, cells);
      if (at > latest + SLACK_MM || at < start + joint.overlap + LEAST_STEP_MM) continue;
      if (!whole && rest[0]?.whole) continue;
      const after = greedy(at - joint.overlap, length);
      if (!after || after.length > rest.length - 1) continue;
      if (cutsIn(after) + (whole ? 0 : 1) > cutsIn(rest)) continue;
      chosen = { end: { at, whole }, rest: after };
      break;
    }
    const [first, ...others] = rest as [End, ...End[]];
    const { end, rest: after } = chosen ?? { end: first, rest: others };
    ends.push(end);
    start = end.at - joint.overlap;
    rest = after;
  }
  return [...ends, ...rest];
}

const latestEnd = (start: number, { room, joint }: Length): number =>
  start + room - Math.max(0, joint.tab - joint.overlap);

/** Ends as far on as they can be, moved back where that keeps cells whole. */
function greedy(from: number, length: Length): End[] | undefined {
  const { printed, room, joint, cells } = length;
  const ends: End[] = [];
  for (let start = from; ends.length < MAX_STRIPS; ) {
    if (start + room >= printed.to - SLACK_MM) return [...ends, { at: printed.to, whole: true }];
    const latest = latestEnd(start, length);
    if (latest - joint.overlap < start + LEAST_STEP_MM) return undefined;
    const at = wholeEnd(latest, start, joint, cells);
    ends.push({ at: at ?? latest, whole: at !== undefined });
    start = (at ?? latest) - joint.overlap;
  }
  return undefined;
}

/** The last end no later than `latest`, at most one pitch earlier, that leaves every cell whole on one side. */
function wholeEnd(
  latest: number,
  start: number,
  joint: Joint,
  cells: CellAxis | undefined,
): number | undefined {
  if (!cells) return latest;
  let at = latest;
  for (;;) {
    const through = cells.spans.filter((span) => isThrough(at, joint, span));
    if (through.length === 0) return at;
    at = Math.min(...through.map(({ from }) => from + joint.overlap));
    if (latest - at > cells.pitch + SLACK_MM || at < start + joint.overlap + LEAST_STEP_MM) return undefined;
  }
}

/**
 * True if neither a window that ends at `at` nor the next one shows all of a cell. Over a tab the next window begins at
 * the seam, and what the tab carries is covered.
 */
const isThrough = (at: number, { overlap, tab }: Joint, { from, to }: Span): boolean =>
  from < at - overlap - SLACK_MM && to > (tab > 0 ? at - overlap : at) + SLACK_MM;

const isWhole = (at: number, joint: Joint, cells: CellAxis | undefined): boolean =>
  !cells?.spans.some((span) => isThrough(at, joint, span));

/** Ends within one pitch of a wish that may keep cells whole, nearest first. */
function goodEnds(wish: number, { overlap }: Joint, { spans, pitch }: CellAxis): number[] {
  return spans
    .flatMap(({ from, to }) => [from + overlap, to, to + overlap])
    .filter((at) => Math.abs(at - wish) <= pitch)
    .toSorted((a, b) => Math.abs(a - wish) - Math.abs(b - wish));
}

/** The line to cut along within an overlap: between cells where there is such a line, in the middle otherwise. */
function seamOf(end: number, { joint, cells }: Length): number {
  const start = end - joint.overlap;
  // The tab is covered from its beginning on.
  if (joint.tab > 0) return start;
  const middle = end - joint.overlap / 2;
  if (!cells) return middle;
  const between = (at: number): boolean =>
    !cells.spans.some(({ from, to }) => at > from + SLACK_MM && at < to - SLACK_MM);
  return (
    [middle, ...cells.spans.flatMap(({ from, to }) => [from, to])]
      .filter((at) => at >= start - SLACK_MM && at <= end + SLACK_MM && between(at))
      .toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? middle
  );
}
