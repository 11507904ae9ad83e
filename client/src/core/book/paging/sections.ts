import { composeBlocks } from '../composition/compose.ts';
import type { Block } from '../document/schema.ts';
import { type Box, box, type Item } from '../typesetting/box.ts';
import type { Context } from '../typesetting/context.ts';
import { line } from '../typesetting/shapes.ts';
import { type Frame, headingBox } from '../typesetting/text-boxes.ts';

/** A part of the document set in its own number of columns, or a break between pages. */
export type Section =
  | {
      readonly kind: 'columns';
      readonly count: number;
      readonly items: readonly Item[];
      /** A head: what follows begins on the same page. */
      readonly head: boolean;
      readonly title: boolean;
    }
  | { readonly kind: 'pageBreak'; readonly to: 'page' | 'right' | 'chapter' };

/** Tables with more columns are set across the page. */
const MAX_NARROW_TABLE = 4;
const MAX_NARROW_CARDS = 2;

export interface Widths {
  /** Width of all columns together, and their number by default. */
  readonly body: number;
  readonly columns: number;
  readonly gutter: number;
}

/** Narrowest column that a block may ask for, in millimetres. */
const NARROWEST = 30;

export const columnWidth = ({ body, gutter }: Widths, count: number): number =>
  (body - gutter * (count - 1)) / count;

/** Divides a document into sections and composes each in the width of its columns. */
export function sectionsOf(context: Context, widths: Widths): Section[] {
  const sections: Section[] = titleSection(context, { x: 0, w: widths.body });
  let run: Block[] = [];
  /** Headings across the page that wait for what they stand above. */
  let heads: Block[] = [];
  const columns = (blocks: readonly Block[], count: number, head = false) => {
    const frame = { x: 0, w: columnWidth(widths, count) };
    const items = composeBlocks(context, blocks, { frame, path: [], role: 'body' });
    if (items.length > 0) sections.push({ kind: 'columns', count, items, head, title: false });
  };
  const flushHeads = () => {
    if (heads.length > 0) columns(heads, 1, true);
    heads = [];
  };
  const flush = () => {
    if (run.length > 0) columns(run, widths.columns);
    run = [];
  };
  // Headings stay with a block across the page, so they are set across it, too.
  const flushBeforeAcross = () => {
    const last = run.findLastIndex(({ type }) => type !== 'heading');
    const trailing = run.slice(last + 1);
    run = run.slice(0, last + 1);
    flush();
    heads.push(...trailing);
  };
  for (const block of context.doc.blocks) {
    if (block.type === 'pageBreak' && block.to !== 'column') {
      flushHeads();
      flush();
      sections.push({ kind: 'pageBreak', to: block.to });
    } else if (block.type === 'heading' && block.level === 1) {
      flushHeads();
      flush();
      const { chapters } = context.house;
      if (chapters !== 'run-on') {
        sections.push({ kind: 'pageBreak', to: chapters === 'right' ? 'right' : 'chapter' });
      }
      heads.push(block);
    } else if (block.type === 'columns') {
      flushBeforeAcross();
      flushHeads();
      const most = Math.floor((widths.body + widths.gutter) / (NARROWEST + widths.gutter));
      columns(block.blocks, Math.max(1, Math.min(block.count, most)));
    } else if (isAcross(block)) {
      flushBeforeAcross();
      columns([...heads, block], 1);
      heads = [];
    } else {
      flushHeads();
      run.push(block);
    }
  }
  flushHeads();
  flush();
  return sections;
}

function isAcross(block: Block): boolean {
  if (block.type === 'figure') return block.place === 'across';
  if (block.type === 'cards') return block.names.length > MAX_NARROW_CARDS;
  return block.type === 'table' && (block.rows[0]?.length ?? 0) > MAX_NARROW_TABLE;
}

/** The title and subtitle of the document, above a line. */
function titleSection(context: Context, frame: Frame): Section[] {
  const { doc, house, grid } = context;
  const look = { family: null, weight: null, italic: null, color: null, scale: 1 };
  const boxes: Box[] = [];
  for (const role of ['title', 'subtitle'] as const) {
    if (doc[role] === '') continue;
    const made = headingBox(context, {
      block: role,
      inlines: [{ kind: 'text', text: doc[role], look }],
      role,
      frame,
      path: [{ tag: 'P', key: role }],
    });
    if (made) boxes.push({ ...made, before: boxes.length === 0 ? 0 : grid * 0.5 });
  }
  const rule = box({
    block: 'title',
    h: grid,
    paint: (x, y) => [
      { path: [], ops: [line([x, y + grid * 0.7], [x + frame.w, y + grid * 0.7], house.rule, 0.4)] },
    ],
  });
  const items = [...boxes, rule];
  return [{ kind: 'columns', count: 1, items, head: true, title: true }];
}
