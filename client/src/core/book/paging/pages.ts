import { type Item, isBox } from '../typesetting/box.ts';
import type { Context, FlowIssue } from '../typesetting/context.ts';
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

/** A column on its page, in millimetres from the page's top left. */
export interface PageColumn {
  readonly placed: readonly PlacedBox[];
  readonly x: number;
  readonly w: number;
  /** Top and bottom of the page's body. */
  readonly top: number;
  readonly bottom: number;
}

/** A page without its running head. */
export interface BarePage {
  /** From 1; odd pages are right ones. */
  readonly number: number;
  /** In the order in which they are painted. */
  readonly columns: readonly PageColumn[];
  /** Blocks that begin on it. */
  readonly anchors: readonly string[];
  /** A chapter or the document begins on it: it has no running head. */
  readonly opening: boolean;
}

interface OpenPage extends BarePage {
  readonly columns: PageColumn[];
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
    this.pages.push({ number, columns: [], anchors: [], opening: number === 1, titleOnly: true });
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
    const w = columnWidth(widths, count);
    const { left, top } = this.#geometry.origin(this.#page.number);
    const page = this.#page;
    page.columns.push({
      placed: column.placed,
      x: left + at * (w + widths.gutter),
      w,
      top,
      bottom: top + this.#context.bodyHeight,
    });
    for (const { box, repeated } of column.placed) {
      if (!repeated) for (const anchor of box.anchors) page.anchors.push(anchor);
    }
    for (const issue of faultsOf(column)) this.#context.report(issue);
  }
}

function keepBroken(block: string): FlowIssue {
  const message =
    'This has to stay together and is longer than a column, so it was divided: shorten it, or move a heading.';
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
