import { LIMITS } from '../../book/document/limits.ts';
import type { Column, Row } from '../../scene/card/row.ts';
import type { Layout } from '../../scene/layout.ts';
import { cutText } from '../../text/cut-text.ts';
import { type PackPart, packBox } from '../box/pack.ts';
import { suggestedSetUp } from '../box/set-up.ts';
import { arranged, boundsOf, isArea, type Placed } from '../view/arrange.ts';
import { shownSide } from '../view/shown-side.ts';
import { type SetUpView, setUpView } from './set-up-view.ts';

/** A row and the layout that draws it. */
export interface DrawnRow {
  readonly layout: Layout;
  readonly row: Row;
  readonly columns: readonly Column[];
}

/** A thing on the table; `x` and `y` are its left and top. Millimetres of the table. */
export interface SetUpPart<Look> {
  readonly kind: 'area' | 'pile' | 'piece';
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** Pieces of a pile. */
  readonly count: number;
  /** Missing for areas, empty piles, and pieces whose side has no layout. */
  readonly look?: Look;
}

/** The table as a game begins, without anybody's hand. */
export interface SetUpPicture<Look> {
  readonly w: number;
  readonly h: number;
  /** In the order in which they are painted. */
  readonly parts: readonly SetUpPart<Look>[];
  /**
   * Piles, areas and boards in reading order, their words at most as long as a name in a rulebook; `x` and `y` are
   * where the number of each stands.
   */
  readonly legend: readonly { readonly words: string; readonly x: number; readonly y: number }[];
}

const mm = (tenths: number): number => tenths / 10;

/**
 * The set-up that is suggested for a project's components, as a picture.
 * @throws PackError when nothing of them can lie on a table, TooMuchError when they are more than it holds
 */
export function setUpPicture(parts: readonly PackPart[]): SetUpPicture<DrawnRow> {
  // The pictures of cards are those of the library, for whoever may see the project.
  const packed = packBox(parts, () => []);
  const view = setUpView(packed, suggestedSetUp(packed.components));
  const placed = arranged(view);
  const bounds = boundsOf(placed) ?? { x: 0, y: 0, w: 0, h: 0 };
  const corner = ({ x, y, w, h }: Placed) => ({
    x: mm(x - w / 2 - bounds.x),
    y: mm(y - h / 2 - bounds.y),
  });
  return {
    w: mm(bounds.w),
    h: mm(bounds.h),
    parts: placed.map((one) => {
      const look = lookOf(view, one);
      return {
        kind: isArea(one.shown) ? 'area' : one.shown.container ? 'pile' : 'piece',
        ...corner(one),
        w: mm(one.w),
        h: mm(one.h),
        count: one.shown.container?.count ?? 0,
        ...(look && { look }),
      };
    }),
    legend: placed
      .filter(({ inside }) => inside === undefined)
      .sort((a, b) => a.y - b.y || a.x - b.x)
      .map((one) => ({ words: wordsOf(view, one), ...corner(one) })),
  };
}

function lookOf(view: SetUpView, { shown, top }: Placed): DrawnRow | undefined {
  if (isArea(shown) || (shown.container && !top)) return undefined;
  const { drawn } = shownSide(view, top ?? shown);
  const layout = drawn && view.common.layouts[drawn.layout];
  if (!drawn || !layout) return undefined;
  const { cells, index, count } = drawn;
  const row = { cells, ...(index !== undefined && { index }), ...(count !== undefined && { count }) };
  return { layout, row, columns: view.common.tables[drawn.table] ?? [] };
}

function wordsOf(view: SetUpView, { shown }: Placed): string {
  const { container, name = '' } = shown;
  const words = container
    ? `${container.count ? `${container.count} × ` : ''}${name}`
    : shownSide(view, shown).text;
  return cutText(words, LIMITS.title);
}
