import { type Box, type Item, isBox } from '../typesetting/box.ts';

/** Filling columns with boxes: breaks where keeps allow, repeats heads, balances what ends. */

/** A box in its column; `y` from the top of the page's body. */
export interface PlacedBox {
  readonly box: Box;
  readonly y: number;
  /** Set again after a break, such as the head of a table. */
  readonly repeated: boolean;
}

/** Content that is still to be set. */
export interface Rest {
  readonly next: number;
  /** Floats that wait for the top of a column. */
  readonly floats: readonly Box[];
}

export interface FilledColumn {
  readonly placed: readonly PlacedBox[];
  readonly rest: Rest;
  /** Block before whose box the column had to end although it should not. */
  readonly forced: string | null;
  /** Block with a box taller than a column. */
  readonly tooTall: string | null;
  readonly bottom: number;
}

export interface Room {
  readonly top: number;
  readonly bottom: number;
  readonly grid: number;
}

const TOLERANCE = 1e-6;

export const START: Rest = { next: 0, floats: [] };

export const isDone = (items: readonly Item[], rest: Rest): boolean =>
  rest.next >= items.length && rest.floats.length === 0;

/** A possible end of a column: after so many boxes, and what follows then. */
interface Stop {
  readonly count: number;
  readonly rest: Rest;
}

class Column {
  readonly placed: PlacedBox[] = [];
  y: number;
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
    this.y = room.top;
  }

  /** Places a box if it fits. */
  place(one: Box, repeated: boolean, evenSo = false): boolean {
    const { grid, top, bottom } = this.#room;
    let y = this.placed.length === 0 ? top : this.y + one.before;
    if (one.grid) y = Math.ceil(y / grid - TOLERANCE) * grid;
    const tail = one.keep ? 0 : (one.group?.tail ?? 0);
    if (!evenSo && y + one.h + tail > bottom + TOLERANCE) return false;
    this.placed.push({ box: one, y, repeated });
    this.y = y + one.h;
    return true;
  }

  /** Takes boxes back to a stop. */
  cut(count: number): void {
    this.placed.length = count;
    const last = this.placed.at(-1);
    this.y = last ? last.y + last.box.h : this.#room.top;
  }
}

/**
 * Fills one column.
 * @param whole the column is a whole page high: what does not fit here fits nowhere
 */
export function fillColumn(items: readonly Item[], from: Rest, room: Room, whole: boolean): FilledColumn {
  const column = new Column(room);
  let floats = [...from.floats];
  let { next } = from;
  let stop: Stop | null = null;
  const finish = (rest: Rest, fault: Partial<FilledColumn> = {}): FilledColumn => ({
    placed: column.placed,
    rest,
    forced: null,
    tooTall: null,
    bottom: column.y,
    ...fault,
  });
  while (floats.length > 0) {
    const first = floats[0] as Box;
    const evenSo = whole && column.placed.length === 0;
    if (!column.place(first, false, evenSo)) break;
    floats = floats.slice(1);
    stop = { count: column.placed.length, rest: { next, floats } };
  }
  continueGroup(column, items, next);
  const heads = column.placed.length;
  for (; next < items.length; next++) {
    const item = items[next] as Item;
    if (!isBox(item)) return finish({ next: next + 1, floats });
    if (item.float && column.placed.length > heads) {
      floats = [...floats, item];
      continue;
    }
    if (column.place(item, false)) {
      if (!item.keep) stop = { count: column.placed.length, rest: { next: next + 1, floats } };
      continue;
    }
    if (stop) {
      column.cut(stop.count);
      return finish(stop.rest);
    }
    if (!whole) {
      column.cut(0);
      return finish(from);
    }
    if (column.placed.length > heads) return finish({ next, floats }, { forced: item.block });
    column.place(item, false, true);
    return finish({ next: next + 1, floats }, { tooTall: item.block });
  }
  return finish({ next, floats });
}

/** A column that begins inside a group begins with the group's head. */
function continueGroup(column: Column, items: readonly Item[], next: number): void {
  const [before, after] = [items[next - 1], items[next]];
  if (!before || !after || !isBox(before) || !isBox(after)) return;
  if (!after.group || before.group !== after.group) return;
  for (const head of after.group.head) column.place({ ...head, group: after.group }, true, true);
}

/** Columns of one page side by side. */
export interface FilledColumns {
  readonly columns: readonly FilledColumn[];
  readonly rest: Rest;
  readonly bottom: number;
}

function fillAll(
  items: readonly Item[],
  from: Rest,
  room: Room,
  count: number,
  whole: boolean,
): FilledColumns {
  const columns: FilledColumn[] = [];
  let rest = from;
  let bottom = room.top;
  for (let at = 0; at < count && !isDone(items, rest); at++) {
    const column = fillColumn(items, rest, room, whole);
    columns.push(column);
    rest = column.rest;
    bottom = Math.max(bottom, column.bottom);
  }
  return { columns, rest, bottom };
}

/**
 * Fills the columns of the rest of a page. Where the content ends on it, the columns are made as equal in height as keeps
 * allow.
 */
export function fillColumns(
  items: readonly Item[],
  from: Rest,
  room: Room,
  count: number,
  whole: boolean,
): FilledColumns {
  const full = fillAll(items, from, room, count, whole);
  const breaks = items.slice(from.next).some((item) => !isBox(item));
  if (count === 1 || breaks || !isDone(items, full.rest)) return full;
  const used = full.columns.reduce((sum, column) => sum + column.bottom - room.top, 0);
  const lines = Math.floor((room.bottom - room.top) / room.grid);
  for (let line = Math.max(1, Math.floor(used / count / room.grid)); line < lines; line++) {
    const tried = fillAll(items, from, { ...room, bottom: room.top + line * room.grid }, count, false);
    if (isDone(items, tried.rest)) return tried;
  }
  return full;
}
