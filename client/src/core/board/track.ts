import type { Rect } from '../scene/display/matrix.ts';
import { type Course, placesAlong } from './curve.ts';

/** Tracks: numbered places in a row, laid out in a rectangle. */

/**
 * Courses of a track. `edge` runs round the rectangle's rim with square corners, `serpentine` in rows that turn at their
 * ends, as a board of ladders does, `spiral` round and round into the middle, `round` along an ellipse, `line` straight on.
 */
export const TRACK_COURSES = ['edge', 'serpentine', 'spiral', 'round', 'line'] as const;
export type TrackCourse = (typeof TRACK_COURSES)[number];

/** Most places of one track. */
export const MAX_TRACK_PLACES = 200;
/** Fewest places of a track round a rim: its corners. */
const CORNERS = 4;

export interface TrackSettings {
  readonly course: TrackCourse;
  readonly count: number;
  /** Depth of the places of an `edge` and diameter of those of a `round` track, in millimetres. */
  readonly depth: number;
  /** Between neighbouring places, in millimetres. */
  readonly gap: number;
}

/** A place of a track, in the order of play. */
export interface TrackPlace extends Rect {
  /** The place is a corner of a track round a rim. */
  readonly corner: boolean;
}

/**
 * The places of a track in a rectangle at the origin. The first lies at the bottom left, that of a `round` track at the
 * top; tracks go clockwise.
 * @param area in millimetres
 */
export function trackPlaces(area: { readonly w: number; readonly h: number }, settings: TrackSettings) {
  const count = Math.min(MAX_TRACK_PLACES, Math.max(1, Math.floor(settings.count)));
  const places = COURSES[settings.course](area, { ...settings, count });
  const half = settings.gap / 2;
  return places.map((place) => inset(place, half));
}

/** Places of one size with their middles along a line, at equal distances. */
export function placesOnLine(line: Course, count: number, size: number): TrackPlace[] {
  return placesAlong(line, Math.min(MAX_TRACK_PLACES, Math.max(1, Math.floor(count)))).map(({ x, y }) => ({
    x: x - size / 2,
    y: y - size / 2,
    w: size,
    h: size,
    corner: false,
  }));
}

type Place = (area: { readonly w: number; readonly h: number }, settings: TrackSettings) => TrackPlace[];

const COURSES: Readonly<Record<TrackCourse, Place>> = {
  edge: alongRim,
  serpentine: (area, { count }) =>
    inGrid(area, count, ({ cols, rows }) =>
      Array.from({ length: cols * rows }, (_, index) => {
        const row = Math.floor(index / cols);
        const col = row % 2 === 0 ? index % cols : cols - 1 - (index % cols);
        return { col, row: rows - 1 - row };
      }),
    ),
  spiral: (area, { count }) => inGrid(area, count, spiralOf),
  round: alongEllipse,
  line: (area, { count }) => {
    const across = area.w >= area.h;
    const [w, h] = across ? [area.w / count, area.h] : [area.w, area.h / count];
    return Array.from({ length: count }, (_, index) => ({
      x: across ? index * w : 0,
      y: across ? 0 : area.h - (index + 1) * h,
      w,
      h,
      corner: false,
    }));
  },
};

/** Corners first take their squares; the sides share the other places by their lengths. */
function alongRim({ w, h }: { w: number; h: number }, { count, depth }: TrackSettings): TrackPlace[] {
  const side = Math.min(depth, w / 3, h / 3);
  const free = Math.max(0, count - CORNERS);
  const [long, high] = [w - 2 * side, h - 2 * side];
  // Left, top, right, bottom: opposite sides differ by one place at most.
  const share = Math.round((free * high) / (2 * (long + high)));
  // No side is left open where there are places enough.
  const left = free < CORNERS ? share : Math.min(Math.max(1, share), Math.floor((free - 2) / 2));
  const across = free - 2 * left;
  const top = Math.ceil(across / 2);
  const bottom = across - top;
  const corner = (x: number, y: number): TrackPlace => ({ x, y, w: side, h: side, corner: true });
  const run = (places: number, place: (at: number) => Rect): TrackPlace[] =>
    Array.from({ length: Math.max(0, places) }, (_, at) => ({ ...place(at), corner: false }));
  const upright = (places: number) => high / Math.max(1, places);
  const level = (places: number) => long / Math.max(1, places);
  return [
    corner(0, h - side),
    ...run(left, (at) => ({
      x: 0,
      y: h - side - (at + 1) * upright(left),
      w: side,
      h: upright(left),
    })),
    corner(0, 0),
    ...run(top, (at) => ({ x: side + at * level(top), y: 0, w: level(top), h: side })),
    corner(w - side, 0),
    ...run(left, (at) => ({ x: w - side, y: side + at * upright(left), w: side, h: upright(left) })),
    corner(w - side, h - side),
    ...run(bottom, (at) => ({
      x: w - side - (at + 1) * level(bottom),
      y: h - side,
      w: level(bottom),
      h: side,
    })),
  ].slice(0, count);
}

interface GridPlace {
  readonly col: number;
  readonly row: number;
}
interface Grid {
  readonly cols: number;
  readonly rows: number;
}

/** Places in a grid of cells as square as the rectangle allows. */
function inGrid(
  { w, h }: { w: number; h: number },
  count: number,
  order: (grid: Grid) => readonly GridPlace[],
): TrackPlace[] {
  const cols = Math.min(count, Math.max(1, Math.round(Math.sqrt((count * w) / h))));
  const rows = Math.ceil(count / cols);
  const [width, height] = [w / cols, h / rows];
  return order({ cols, rows })
    .slice(0, count)
    .map(({ col, row }) => ({ x: col * width, y: row * height, w: width, h: height, corner: false }));
}

/** Cells from the bottom left up, clockwise and inwards. */
function spiralOf({ cols, rows }: Grid): GridPlace[] {
  const order: GridPlace[] = [];
  let [left, right, top, bottom] = [0, cols - 1, 0, rows - 1];
  while (left <= right && top <= bottom) {
    for (let row = bottom; row >= top; row--) order.push({ col: left, row });
    left++;
    for (let col = left; col <= right; col++) order.push({ col, row: top });
    top++;
    if (left <= right) for (let row = top; row <= bottom; row++) order.push({ col: right, row });
    right--;
    if (top <= bottom) for (let col = right; col >= left; col--) order.push({ col, row: bottom });
    bottom--;
  }
  return order;
}

/** Squares with their middles on an ellipse, no larger than lets neighbours keep apart. */
function alongEllipse({ w, h }: { w: number; h: number }, { count, depth }: TrackSettings): TrackPlace[] {
  const widest = Math.min(depth, w / 2, h / 2);
  const middles = onEllipse(w, h, widest, count);
  let nearest = widest;
  for (const [at, one] of middles.entries()) {
    for (const other of middles.slice(at + 1))
      nearest = Math.min(nearest, Math.max(Math.abs(other.x - one.x), Math.abs(other.y - one.y)));
  }
  return middles.map(({ x, y }) => ({
    x: x - nearest / 2,
    y: y - nearest / 2,
    w: nearest,
    h: nearest,
    corner: false,
  }));
}

/** Straight pieces by which the length of an ellipse is measured. */
const PIECES = 2_000;

function onEllipse(w: number, h: number, depth: number, count: number): { x: number; y: number }[] {
  const [a, b] = [(w - depth) / 2, (h - depth) / 2];
  const at = (piece: number) => {
    const angle = (piece / PIECES) * 2 * Math.PI - Math.PI / 2;
    return { x: w / 2 + a * Math.cos(angle), y: h / 2 + b * Math.sin(angle) };
  };
  const lengths = [0];
  for (let piece = 1; piece <= PIECES; piece++) {
    const [from, to] = [at(piece - 1), at(piece)];
    lengths.push((lengths[piece - 1] ?? 0) + Math.hypot(to.x - from.x, to.y - from.y));
  }
  const whole = lengths[PIECES] ?? 0;
  let piece = 0;
  return Array.from({ length: count }, (_, index) => {
    while (piece < PIECES && (lengths[piece] ?? 0) < (whole * index) / count) piece++;
    return at(piece);
  });
}

function inset(place: TrackPlace, by: number): TrackPlace {
  const [dx, dy] = [Math.min(by, place.w * 0.4), Math.min(by, place.h * 0.4)];
  return { ...place, x: place.x + dx, y: place.y + dy, w: place.w - 2 * dx, h: place.h - 2 * dy };
}
