import { ptToMm } from '../../units.ts';
import type { Inline, Table } from '../document/schema.ts';
import { type Box, box, type Group, type Path, type Piece } from '../typesetting/box.ts';
import type { Context } from '../typesetting/context.ts';
import { markupOf } from '../typesetting/inlines.ts';
import { paintLine, type SetLines } from '../typesetting/set-lines.ts';
import { filled, line } from '../typesetting/shapes.ts';
import { type Frame, lineBoxes, setRole } from '../typesetting/text-boxes.ts';

/** Free space in a cell, in millimetres and as a share of its line. */
const CELL_SIDE = 1.4;
const CELL_PAD = 0.28;
/** Baseline to baseline in cells, as a multiple of their size. */
export const CELL_PITCH = 1.28;
/** Rows taller than this share of the page may break. */
const MAX_WHOLE_ROW = 0.4;
/** Tables shorter than this share of the page stay whole. */
const MAX_WHOLE_TABLE = 0.2;

/** The first baseline below the top of lines in a cell: capitals stand in the middle of their line. */
export const firstBaseline = (size: number): number => (size * CELL_PITCH + size * 0.62) / 2;

interface Row {
  readonly id: string;
  readonly cells: readonly (SetLines | undefined)[];
  readonly frames: readonly Frame[];
  readonly head: boolean;
  /** Every other row has a band of colour. */
  readonly band: boolean;
  readonly path: Path;
}

/** A table whose rows stay whole where they can, with its head on each column it reaches. */
export function tableBoxes(context: Context, table: Table, frame: Frame, path: Path): Box[] {
  const element: Path = [...path, { tag: 'Table', key: table.id }];
  const frames = columnFrames(table, frame);
  const rows = table.rows.map((cells, at): Row => {
    const head = at < table.headRows;
    const id = `${table.id}/${at}`;
    const role = head ? 'cellHead' : 'cell';
    const row: Path = [...element, { tag: 'TR', key: id }];
    return {
      id,
      frames,
      head,
      band: !head && (at - table.headRows) % 2 === 1,
      path: row,
      cells: cells.map((content, column) => {
        const inner = frames[column] ?? frame;
        const inlines = markupOf(context, table.id, content as readonly Inline[], role);
        const room = { x: 0, w: inner.w - 2 * CELL_SIDE };
        const set = setRole(context, { block: table.id, inlines, role, frame: room, path: row });
        const align = table.align?.[column];
        return set && align ? { ...set, style: { ...set.style, align } } : set;
      }),
    };
  });
  const caption = captionBoxes(context, table.id, table.caption, frame, element);
  const heads = rows.filter(({ head }) => head).flatMap((row) => rowBoxes(context, table.id, row, frame));
  const group: Group = { id: table.id, head: heads, tail: 0, frame: null };
  const body = rows.filter(({ head }) => !head).flatMap((row) => rowBoxes(context, table.id, row, frame));
  const small = body.reduce((sum, one) => sum + one.h, 0) <= context.bodyHeight * MAX_WHOLE_TABLE;
  const kept = small ? body.map((one, at) => ({ ...one, keep: at < body.length - 1 })) : keepTwo(body);
  const all = [...heads.map((one): Box => ({ ...one, keep: true })), ...kept];
  const made = [...caption.map((one): Box => ({ ...one, keep: true })), ...all];
  const first = made[0];
  if (first) made[0] = { ...first, before: context.grid * 0.75, anchors: [table.id] };
  // A table of head rows alone keeps nothing below it.
  return made.map((one, at) => ({ ...one, group, keep: one.keep && at < made.length - 1 }));
}

/** No single row stands alone at the end of a column, or at the start of one. */
function keepTwo(rows: readonly Box[]): Box[] {
  const wanted = new Set([0, rows.length - 2]);
  return rows.map((one, at) => (wanted.has(at) && at < rows.length - 1 ? { ...one, keep: true } : one));
}

function columnFrames({ rows, widths }: Table, { x, w }: Frame): Frame[] {
  const shares = widths ?? (rows[0] ?? []).map(() => 1);
  const sum = shares.reduce((total, share) => total + share, 0);
  let at = x;
  return shares.map((share) => {
    const frame = { x: at, w: (share / sum) * w };
    at += frame.w;
    return frame;
  });
}

export function captionBoxes(
  context: Context,
  block: string,
  caption: readonly Inline[],
  frame: Frame,
  path: Path,
): Box[] {
  if (caption.length === 0) return [];
  return lineBoxes(context, {
    block,
    inlines: markupOf(context, block, caption, 'caption'),
    role: 'caption',
    frame,
    path: [...path, { tag: 'Caption', key: `${block}/caption` }],
  });
}

/** One box of a row, or one of each of its lines where it is very tall. */
function rowBoxes(context: Context, block: string, row: Row, frame: Frame): Box[] {
  const { house, bodyHeight } = context;
  const size = ptToMm(house.roles[row.head ? 'cellHead' : 'cell'].text.size);
  const pitch = size * CELL_PITCH;
  const pad = pitch * CELL_PAD;
  const lines = Math.max(1, ...row.cells.map((cell) => cell?.lines.length ?? 0));
  const whole = lines * pitch + 2 * pad <= bodyHeight * MAX_WHOLE_ROW;
  const parts = whole
    ? [{ from: 0, to: lines }]
    : Array.from({ length: lines }, (_, at) => ({ from: at, to: at + 1 }));
  return parts.map(({ from, to }, at) => {
    const above = at === 0 ? pad : 0;
    const below = at === parts.length - 1 ? pad : 0;
    const h = above + (to - from) * pitch + below;
    return box({
      block,
      h,
      keep: at < parts.length - 1 && (at === 0 || at === parts.length - 2),
      ink: { from: frame.x, to: frame.x + frame.w },
      paint: (x, y) => [
        ...backdrop(context, row, { x: x + frame.x, y, w: frame.w, h }),
        ...row.cells.flatMap((cell, column) => {
          const inner = row.frames[column] ?? frame;
          const baseline = (number: number) => y + above + (number - from) * pitch + firstBaseline(size);
          const path: Path = [...row.path, { tag: row.head ? 'TH' : 'TD', key: `${row.id}/${column}` }];
          return cellLines(
            cell,
            from,
            to,
            { x: x + inner.x + CELL_SIDE, w: inner.w - 2 * CELL_SIDE },
            baseline,
            path,
          );
        }),
      ],
    });
  });
}

function cellLines(
  cell: SetLines | undefined,
  from: number,
  to: number,
  { x, w }: Frame,
  baseline: (number: number) => number,
  path: Path,
): Piece[] {
  if (!cell) return [];
  const pieces: Piece[] = [];
  for (let number = from; number < to; number++) {
    pieces.push(...paintLine(cell, number, { x, w, baseline: baseline(number) }, path));
  }
  // An empty cell keeps its place among the others.
  return pieces.length === 0 && from === 0 ? [{ path, ops: [] }] : pieces;
}

function backdrop(
  { house }: Context,
  { head, band }: Row,
  room: { readonly x: number; readonly y: number; readonly w: number; readonly h: number },
): Piece[] {
  const { x, y, w, h } = room;
  if (head) return [{ path: [], ops: [filled(room, house.table.head)] }];
  const rule = line([x, y + h], [x + w, y + h], house.rule, 0.15);
  return [{ path: [], ops: band ? [filled(room, house.table.band), rule] : [rule] }];
}
