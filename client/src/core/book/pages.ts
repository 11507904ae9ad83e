import type { Op } from '../scene/display-list.ts';
import type { Rect } from '../scene/matrix.ts';
import { type Box, type Item, isBox, type Piece } from './box.ts';
import type { Context, FlowIssue } from './context.ts';
import {
  type FilledColumn,
  fillColumn,
  fillColumns,
  isDone,
  type PlacedBox,
  type Rest,
  START,
} from './fill.ts';
import type { Geometry } from './geometry.ts';
import { columnWidth, type Section } from './sections.ts';

/** A box on its page, in millimetres from the page's top left. */
export interface PageBox {
  readonly block: string;
  readonly area: Rect;
  /** Edges of what it sets, and of its column. */
  readonly ink: { readonly from: number; readonly to: number };
  readonly column: { readonly from: number; readonly to: number; readonly bottom: number };
  readonly grid: boolean;
  readonly keep: boolean;
  readonly repeated: boolean;
}

/** Content of a page, painted when the page is looked at. */
export interface Painter {
  /** The same text is the same picture. */
  readonly mark: string;
  readonly paint: () => readonly Piece[];
}

/** A page without its running head. */
export interface BarePage {
  /** From 1; odd pages are right ones. */
  readonly number: number;
  /** Content, in the order in which it is painted. */
  readonly painters: readonly Painter[];
  readonly boxes: readonly PageBox[];
  /** Blocks that begin on it. */
  readonly anchors: readonly string[];
  /** A chapter or the document begins on it: it has no running head. */
  readonly opening: boolean;
}

interface OpenPage extends BarePage {
  readonly painters: Painter[];
  readonly boxes: PageBox[];
  readonly anchors: string[];
  opening: boolean;
  /** Only the title is on it so far. */
  titleOnly: boolean;
}

/** Most pages of one rulebook. */
export const MAX_PAGES = 1_000;

type ColumnsSection = Extract<Section, { kind: 'columns' }>;

/** Puts sections on pages. */
export class Paginator {
  readonly pages: OpenPage[] = [];
  readonly #context: Context;
  readonly #geometry: Geometry;
  #y = 0;
  /** A head across all columns was the last on the page, so that what follows belongs below it. */
  #belowHead = false;

  constructor(context: Context, geometry: Geometry) {
    this.#context = context;
    this.#geometry = geometry;
    this.#newPage();
  }

  run(sections: readonly Section[]): readonly BarePage[] {
    for (const [at, section] of sections.entries()) {
      if (this.pages.length > MAX_PAGES) break;
      if (section.kind === 'columns') this.#columns(section, sections[at + 1]);
      else this.#break(section.to);
    }
    return this.pages;
  }

  get #page(): OpenPage {
    return this.pages.at(-1) as OpenPage;
  }

  #newPage(): void {
    const number = this.pages.length + 1;
    this.pages.push({ number, painters: [], boxes: [], anchors: [], opening: number === 1, titleOnly: true });
    this.#y = 0;
  }

  #break(to: 'page' | 'right' | 'chapter'): void {
    const fresh = this.#y === 0 || (to !== 'page' && this.#page.titleOnly);
    if (!fresh) this.#newPage();
    if (to === 'right' && this.#page.number % 2 === 0) this.#newPage();
    if (to !== 'page') this.#page.opening = true;
    this.#belowHead = false;
  }

  #columns({ items, count, head, title }: ColumnsSection, next: Section | undefined): void {
    const { grid, bodyHeight } = this.#context;
    const first = items.find(isBox);
    const { number } = this.#page;
    let rest: Rest = START;
    if (this.#y > 0) {
      const from = this.#y + (first?.before ?? 0);
      this.#y = this.#onGrid(from);
      if (head && !this.#headFits(items, next)) this.#newPage();
    }
    while (!isDone(items, rest)) {
      if (this.#y > bodyHeight - grid) this.#newPage();
      const whole = this.#y === 0;
      const room = { top: this.#y, bottom: bodyHeight, grid };
      const filled = fillColumns(items, rest, room, count, whole);
      for (const [at, column] of filled.columns.entries()) this.#place(column, at, count);
      const moved = filled.rest.next !== rest.next || filled.rest.floats.length !== rest.floats.length;
      if (moved && this.#belowHead && this.#page.number !== number && first)
        this.#context.report(keepBroken(first.block));
      if (moved) this.#belowHead = false;
      rest = filled.rest;
      this.#y = Math.max(this.#y, filled.bottom);
      if (!title && moved) this.#page.titleOnly = false;
      if (isDone(items, rest)) break;
      if (this.pages.length > MAX_PAGES) return;
      this.#newPage();
    }
    // The space after a head is kept by the next block of its own section; here no block follows.
    if (head) this.#y += (title ? 1 : this.#context.house.roles.h1.after) * grid;
    this.#y = this.#onGrid(this.#y);
    this.#belowHead = Boolean(head) && !title;
  }

  #onGrid(y: number): number {
    const { grid } = this.#context;
    return Math.ceil(y / grid - 1e-6) * grid;
  }

  /** True if a head fits below what is on the page, and the beginning of what follows below it. */
  #headFits(items: readonly Item[], next: Section | undefined): boolean {
    const { grid, bodyHeight, house } = this.#context;
    const room = { top: this.#y, bottom: bodyHeight, grid };
    const own = fillColumn(items, START, room, false);
    if (!isDone(items, own.rest)) return false;
    if (next?.kind !== 'columns') return true;
    const before = next.items.find(isBox)?.before ?? 0;
    const top = this.#onGrid(this.#onGrid(own.bottom + house.roles.h1.after * grid) + before);
    return fillColumn(next.items, START, { ...room, top }, false).placed.length > 0;
  }

  #place(column: FilledColumn, at: number, count: number): void {
    const widths = this.#geometry;
    const width = columnWidth(widths, count);
    const { left, top } = this.#geometry.origin(this.#page.number);
    const x = left + at * (width + widths.gutter);
    const page = this.#page;
    for (const frame of framesOf(column.placed)) {
      const room = { x, y: top + frame.top, w: width, h: frame.bottom - frame.top };
      page.painters.push({
        mark: `${nameOf(frame.paint)} ${x} ${room.y} ${room.h}`,
        paint: () => [{ path: [], ops: frame.paint(room) }],
      });
    }
    const bottom = top + this.#context.bodyHeight;
    for (const { box, y, repeated } of column.placed) {
      page.painters.push({
        mark: `${nameOf(box.paint)} ${x} ${top + y}`,
        paint: () => {
          const pieces = box.paint(x, top + y);
          return repeated ? pieces.map(({ ops }) => ({ path: [], ops })) : pieces;
        },
      });
      if (!repeated) page.anchors.push(...box.anchors);
      page.boxes.push({
        block: box.block,
        area: { x, y: top + y, w: width, h: box.h },
        ink: { from: x + box.ink.from, to: x + box.ink.to },
        column: { from: x, to: x + width, bottom },
        grid: box.grid,
        keep: box.keep,
        repeated,
      });
    }
    for (const issue of faultsOf(column)) this.#context.report(issue);
  }
}

/** Painters are told apart by numbers: a block that was not composed again paints the same. */
const names = new WeakMap<object, number>();
let named = 0;
function nameOf(paint: object): number {
  const known = names.get(paint) ?? ++named;
  names.set(paint, known);
  return known;
}

interface GroupFrame {
  readonly top: number;
  bottom: number;
  readonly paint: (room: Rect) => readonly Op[];
}

/** The backgrounds of the groups in a column. */
function framesOf(placed: readonly PlacedBox[]): GroupFrame[] {
  const frames: GroupFrame[] = [];
  let last: Box['group'] = null;
  for (const [at, { box, y }] of placed.entries()) {
    const { group } = box;
    const frame = frames.at(-1);
    if (group?.frame && group === last && frame) {
      const tail = placed[at + 1] === undefined && !isEnd(box) ? group.tail : 0;
      frame.bottom = y + box.h + tail;
    } else if (group?.frame) frames.push({ top: y, bottom: y + box.h, paint: group.frame });
    last = group;
  }
  return frames;
}

/** The last box of a group is its own space below. */
const isEnd = (box: Box): boolean => !box.grid && box.h === box.group?.tail;

function keepBroken(block: string): FlowIssue {
  const message =
    'More than a column has to stay together here, so it was divided all the same: shorten it, or move a heading.';
  return { block, code: 'keep-broken', message };
}

function faultsOf({ forced, tooTall }: FilledColumn): FlowIssue[] {
  const issues: FlowIssue[] = [];
  if (forced !== null) issues.push(keepBroken(forced));
  if (tooTall !== null) {
    const message = 'This is taller than a page and was cut: make it smaller, or divide it.';
    issues.push({ block: tooTall, code: 'too-tall', message });
  }
  return issues;
}
