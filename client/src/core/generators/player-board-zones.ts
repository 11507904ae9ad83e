import { defaultTextStyle, type TextStyle } from '../scene/style/text-style.ts';
import type { Box } from '../scene/zones/definition.ts';
import { newZone, type Zone, type ZoneOf } from '../scene/zones.ts';

/** Most lines of one board, and most places of one line. */
export const MAX_BOARD_LINES = 20;
export const MAX_LINE_PLACES = 31;

/** A line of a player board: its name, and on the right what is kept there. */
export type BoardLine = { readonly name: string } & (
  | { readonly kind: 'track'; readonly from: number; readonly to: number }
  | { readonly kind: 'slots'; readonly count: number }
  /** The text of a column. */
  | { readonly kind: 'value'; readonly column: string }
  | { readonly kind: 'title' }
);

export interface PlayerBoardStyle {
  readonly colour: string;
  readonly line: string;
  /** Share of the width that the names take. */
  readonly names: number;
  readonly type: Partial<TextStyle>;
}

/** Share of a line's height that is left free below it. */
const APART = 0.18;
/** A place is at most this much wider than high. */
const WIDEST = 1.6;

/** A track's name and ends, and the name and number of slots: as they are written, with any dash and minus. */
const TRACK = /^(.*?)\s*([-−]?\d+)\s*(?:[–—-]|\.\.)\s*([-−]?\d+)$/;
const SLOTS = /^(.*?)\s*[×x*]\s*(\d+)$/;
const numberOf = (text = ''): number => Number(text.replace('−', '-'));

/**
 * Reads a line: `Gold 0–10` is a track, `Workers × 5` slots, the name of a column the column's value, anything else a
 * title.
 */
export function readBoardLine(text: string, columns: readonly string[]): BoardLine {
  const line = text.trim();
  const track = TRACK.exec(line);
  if (track) {
    const [from, to] = [numberOf(track[2]), numberOf(track[3])].sort((a, b) => a - b) as [number, number];
    return { name: track[1] ?? '', kind: 'track', from, to: Math.min(to, from + MAX_LINE_PLACES - 1) };
  }
  const slots = SLOTS.exec(line);
  if (slots) {
    const count = Math.min(MAX_LINE_PLACES, Math.max(1, Number(slots[2])));
    return { name: slots[1] ?? '', kind: 'slots', count };
  }
  const column = columns.find((one) => one.trim().toLowerCase() === line.toLowerCase());
  return column === undefined ? { name: line, kind: 'title' } : { name: line, kind: 'value', column };
}

/** Parts of a board that it has no room for, in sentences. @param lines as they are written, none of them empty */
export function boardRemarks(lines: readonly string[]): string[] {
  const remarks = lines.slice(0, MAX_BOARD_LINES).flatMap((text) => {
    const track = TRACK.exec(text.trim());
    const slots = track ? null : SLOTS.exec(text.trim());
    const wanted = track ? Math.abs(numberOf(track[3]) - numberOf(track[2])) + 1 : Number(slots?.[2] ?? 0);
    const name = (track ?? slots)?.[1] || 'A line';
    return wanted > MAX_LINE_PLACES
      ? [`${name} has ${MAX_LINE_PLACES} of its ${wanted} places: a line has no more.`]
      : [];
  });
  const left = lines.length - MAX_BOARD_LINES;
  if (left > 0)
    remarks.push(`${left} ${left === 1 ? 'line is' : 'lines are'} left out: a board has ${MAX_BOARD_LINES}.`);
  return remarks;
}

/** A board with a line below another, as a group of ordinary zones. */
export function playerBoardZones(
  box: Box,
  lines: readonly BoardLine[],
  style: PlayerBoardStyle,
  newId: () => string,
): ZoneOf<'container'> {
  const shown = lines.slice(0, MAX_BOARD_LINES);
  const pitch = box.h / Math.max(1, shown.length);
  const children = shown.flatMap((line, at) => {
    const own = { x: 0, y: at * pitch, w: box.w, h: pitch * (1 - APART) };
    return lineZones(line, own, style, newId);
  });
  return { ...newZone('container', newId(), 'Player board', box), arrange: 'free', children };
}

function lineZones(line: BoardLine, box: Box, style: PlayerBoardStyle, newId: () => string): Zone[] {
  const text = (name: string, at: Box, words: string, change: Partial<TextStyle> = {}): ZoneOf<'text'> => ({
    ...newZone('text', newId(), name, at),
    text: words,
    style: { ...defaultTextStyle(), vAlign: 'middle', ...style.type, ...change },
  });
  if (line.kind === 'title') return [text(line.name, box, line.name, { weight: 700 })];
  const wide = box.w * style.names;
  const room = { x: box.x + wide, y: box.y, w: box.w - wide, h: box.h };
  const label = text(`Name of ${line.name}`, { ...box, w: wide }, line.name);
  if (line.kind === 'value') {
    const value = text(line.column, room, '');
    return [label, { ...value, bindings: { text: { mode: 'column', column: line.column } } }];
  }
  const count = line.kind === 'track' ? line.to - line.from + 1 : line.count;
  const w = Math.min(room.w / count, room.h * WIDEST);
  const places = Array.from({ length: count }, (_, at): Zone[] => {
    const place = { x: room.x + at * w, y: room.y, w, h: room.h };
    const number = line.kind === 'track' ? String(line.from + at) : String(at + 1);
    const space: ZoneOf<'space'> = {
      ...newZone('space', newId(), `${line.name} ${number}`, place),
      role: line.kind === 'track' ? 'spot' : 'slot',
      order: line.kind === 'track' ? at + 1 : 0,
      fill: { kind: 'solid', color: style.colour },
      stroke: { color: style.line, width: 0.4, align: 'center', dash: line.kind === 'track' ? [] : [2, 1.4] },
    };
    if (line.kind === 'slots') return [space];
    return [space, text(`Label ${line.name} ${number}`, place, number, { align: 'center' })];
  });
  return [label, ...places.flat()];
}
