import type { Inline, Live, Table } from '../document/schema.ts';
import { pageList } from '../references/index-terms.ts';
import type { Box, Path, Piece } from '../typesetting/box.ts';
import type { Context } from '../typesetting/context.ts';
import type { Role } from '../typesetting/house-style.ts';
import { lookOf, markupOf } from '../typesetting/inlines.ts';
import { linkMark, paintLine, type SetLines } from '../typesetting/set-lines.ts';
import type { Setting } from '../typesetting/setting.ts';
import { line } from '../typesetting/shapes.ts';
import { type Frame, lineBoxes, setRole } from '../typesetting/text-boxes.ts';
import { componentBoxes } from './compose-components.ts';
import { setUpBoxes } from './compose-set-up.ts';
import { tableBoxes } from './compose-table.ts';

/** Blocks made from the document or the project. */
export function liveBoxes(context: Context, block: Live, { frame, path }: Setting): Box[] {
  switch (block.show) {
    case 'contents':
      return contents(context, block, frame, path);
    case 'glossary':
      return glossary(context, block, frame, path);
    case 'index':
      return indexOfTerms(context, block, frame, path);
    case 'components':
      return components(context, block, frame, path);
    case 'icons':
      return icons(context, block, frame, path);
    case 'setup':
      return setUpBoxes(context, block, frame, path);
  }
}

/** Deepest heading in the contents. */
const CONTENTS_LEVELS = 2;
/** Room kept free for page numbers, in millimetres. */
const NUMBER_ROOM = 9;

function contents(context: Context, { id }: Live, frame: Frame, path: Path): Box[] {
  const list: Path = [...path, { tag: 'TOC', key: id }];
  return context.numbering.headings
    .filter(({ level }) => level <= CONTENTS_LEVELS)
    .flatMap((heading) => {
      const role = heading.level === 1 ? 'contents1' : 'contents2';
      const entry: Path = [...list, { tag: 'TOCI', key: `${id}/${heading.id}` }];
      const mark = linkMark(`${id}/${heading.id}`, heading.id);
      const look = { ...lookOf(context, role, [], undefined), mark };
      const boxes = lineBoxes(context, {
        block: id,
        inlines: [{ kind: 'text', text: heading.title, look }],
        role,
        frame: { x: frame.x, w: frame.w - NUMBER_ROOM },
        path: entry,
      });
      const page = context.pages.get(heading.id);
      const number = setNumber(context, id, role, page === undefined ? '00' : `${page}`, mark, entry);
      return withNumber(context, boxes, number, frame, entry, heading.level === 1);
    });
}

function setNumber(context: Context, block: string, role: Role, text: string, mark: string, path: Path) {
  const look = { ...lookOf(context, role, [], undefined), mark };
  const inlines = [{ kind: 'text' as const, text, look }];
  return setRole(context, { block, inlines, role, frame: { x: 0, w: NUMBER_ROOM }, path });
}

/** Puts a page number at the right end of the last line, behind dots. */
function withNumber(
  { grid, baseline, house }: Context,
  boxes: readonly Box[],
  number: SetLines | undefined,
  frame: Frame,
  path: Path,
  chapter: boolean,
): Box[] {
  return boxes.map((one, at) => {
    const before = at === 0 && chapter ? grid * house.roles.contents1.before : 0;
    const keep = one.keep || (chapter && at === boxes.length - 1);
    if (at < boxes.length - 1 || !number) return { ...one, before, keep };
    const width = (number.lines[0]?.width ?? 0) * number.size;
    return {
      ...one,
      before,
      keep,
      paint: (x: number, y: number): Piece[] => {
        const right = x + frame.x + frame.w;
        const leader: Piece = {
          path: [],
          ops: [
            line(
              [x + one.ink.to + 1.5, y + baseline - 0.2],
              [right - width - 1.5, y + baseline - 0.2],
              house.rule,
              0.3,
              [0, 1.5],
            ),
          ],
        };
        const dotted = one.ink.to + 4 < frame.x + frame.w - width && !chapter;
        const place = { x: right - width, w: width, baseline: y + baseline };
        return [...one.paint(x, y), ...(dotted ? [leader] : []), ...paintLine(number, 0, place, path)];
      },
    };
  });
}

function glossary(context: Context, { id }: Live, frame: Frame, path: Path): Box[] {
  return context.terms.flatMap(({ definition }) => {
    const strong = lookOf(context, 'index', ['strong'], undefined);
    const link = lookOf(context, 'index', [], linkMark(`${id}/${definition.id}`, definition.id));
    return lineBoxes(context, {
      block: id,
      inlines: [
        { kind: 'text', text: `${definition.term.trim()} `, look: strong },
        ...markupOf(context, id, definition.content, 'index'),
        { kind: 'text', text: ` → ${context.pages.get(definition.id) ?? '00'}`, look: link },
      ],
      role: 'index',
      frame,
      path: [...path, { tag: 'P', key: `${id}/${definition.id}` }],
    });
  });
}

/** Each term with the pages that use it, the page of its definition in bold. */
function indexOfTerms(context: Context, { id }: Live, frame: Frame, path: Path): Box[] {
  const list: Path = [...path, { tag: 'Index', key: id }];
  return context.terms.flatMap(({ definition, blocks }) => {
    const main = context.pages.get(definition.id);
    const pages = blocks
      .map((block) => context.pages.get(block))
      .filter((page): page is number => page !== undefined && page !== main);
    const link = {
      ...lookOf(context, 'index', ['strong'], linkMark(`${id}/${definition.id}`, definition.id)),
    };
    const rest = pageList(pages);
    const plain = lookOf(context, 'index', [], undefined);
    return lineBoxes(context, {
      block: id,
      inlines: [
        { kind: 'text', text: `${definition.term.trim()}  `, look: plain },
        { kind: 'text', text: `${main ?? '00'}`, look: link },
        ...(rest === '' ? [] : [{ kind: 'text' as const, text: `, ${rest}`, look: plain }]),
      ],
      role: 'index',
      frame,
      path: [...list, { tag: 'P', key: `${id}/${definition.id}` }],
    });
  });
}

const words = (text: string): Inline[] => (text === '' ? [] : [{ type: 'text', text }]);

function components(context: Context, { id }: Live, frame: Frame, path: Path): Box[] {
  const { project } = context.assets;
  const pictured = project.components.some(({ card }) => card !== undefined && project.card(card));
  if (pictured) return componentBoxes(context, id, frame, path);
  const rows = project.components.map(({ name, count }) => [words(`${count} ×`), words(name)]);
  return rows.length === 0 ? [] : tableBoxes(context, plainTable(id, rows, [1, 8]), frame, path);
}

function icons(context: Context, { id }: Live, frame: Frame, path: Path): Box[] {
  const rows = [...context.assets.project.icons].map(([name, { meaning }]) => [
    [{ type: 'icon', name } as const],
    words(name),
    words(meaning),
  ]);
  return rows.length === 0 ? [] : tableBoxes(context, plainTable(id, rows, [1, 3, 8]), frame, path);
}

const plainTable = (id: string, rows: Inline[][][], widths: number[]): Table => ({
  type: 'table',
  id,
  caption: [],
  headRows: 0,
  widths,
  rows,
});
