import type { Piece } from '../typesetting/box.ts';
import type { Context } from '../typesetting/context.ts';
import type { Role } from '../typesetting/house-style.ts';
import { paintLine } from '../typesetting/set-lines.ts';
import { line } from '../typesetting/shapes.ts';
import { setRole } from '../typesetting/text-boxes.ts';
import type { Geometry } from './geometry.ts';
import type { BarePage } from './pages.ts';

const LOOK = { family: null, weight: null, italic: null, color: null, scale: 1 };

/** The head of a page (title left, chapter right) and its number at the outside of its foot. */
export function runningHead(
  context: Context,
  geometry: Geometry,
  size: { readonly w: number; readonly h: number },
  page: Pick<BarePage, 'number' | 'opening' | 'columns'>,
  chapter: string,
): Piece[] {
  const { doc, house } = context;
  const { margins, body } = geometry;
  const right = page.number % 2 === 1;
  const { left } = geometry.origin(page.number);
  const set = (text: string, role: Role, y: number): readonly Piece[] => {
    const inlines = [{ kind: 'text' as const, text, look: LOOK }];
    const lines = setRole(context, { block: 'title', inlines, role, frame: { x: 0, w: body }, path: [] });
    const width = (lines?.lines[0]?.width ?? 0) * (lines?.size ?? 0);
    const x = right ? left + body - width : left;
    return lines ? paintLine(lines, 0, { x, w: width, baseline: y }, []) : [];
  };
  const folio = set(`${page.number}`, 'folio', size.h - margins.bottom * 0.45);
  const empty = page.columns.every(({ placed }) => placed.length === 0);
  if (page.opening || empty) return empty ? [] : [...folio];
  const y = margins.top * 0.62;
  const text = (right ? chapter : doc.title) || doc.title;
  const rule = line([left, y + 1.6], [left + body, y + 1.6], house.rule, 0.2);
  return [...set(text, 'head', y), { path: [], ops: [rule] }, ...folio];
}
