import type { Op } from '../../scene/display/display-list.ts';
import type { Rect } from '../../scene/display/matrix.ts';

/** Types of structure elements, as tagged documents name them. */
export type Tag =
  | 'H1'
  | 'H2'
  | 'H3'
  | 'H4'
  | 'P'
  | 'L'
  | 'LI'
  | 'Lbl'
  | 'LBody'
  | 'Table'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Figure'
  | 'Caption'
  | 'TOC'
  | 'TOCI'
  | 'Index'
  | 'Div'
  | 'Note'
  | 'Link';

/** An element on the way from the document to a piece; the same key is the same element, on any page. */
export interface Step {
  readonly tag: Tag;
  readonly key: string;
  /** Text in place of a figure. */
  readonly alt?: string;
}

export type Path = readonly Step[];

/** A stretch of a page's content. */
export interface Piece {
  /** Empty for what is no content: backgrounds, lines, running heads, repeated table heads. */
  readonly path: Path;
  readonly ops: readonly Op[];
  readonly link?: { readonly box: Rect; readonly block: string };
}

/** Boxes with a common background or head, such as a callout or a table. */
export interface Group {
  readonly id: string;
  /** Set again at the top of each further column. */
  readonly head: readonly Box[];
  /** Room that must stay free below the last box before a break, in millimetres. */
  readonly tail: number;
  /** Painted behind the boxes of one column; `room` is from the top of the first to the bottom of the last. */
  readonly frame: ((room: Rect) => readonly Op[]) | null;
}

/** A part of a column that is never divided. Lengths in millimetres. */
export interface Box {
  readonly kind: 'box';
  /** The block it belongs to. */
  readonly block: string;
  /** Blocks that begin with it. */
  readonly anchors: readonly string[];
  /** Space before, dropped at the top of a column. */
  readonly before: number;
  readonly h: number;
  /** Begins on the grid. */
  readonly grid: boolean;
  /** No column ends after it. */
  readonly keep: boolean;
  /** May wait for the top of the next column. */
  readonly float: boolean;
  readonly group: Group | null;
  /** Left and right edges of what it sets, from the column's left. */
  readonly ink: { readonly from: number; readonly to: number };
  readonly paint: (x: number, y: number) => readonly Piece[];
}

export interface ColumnBreak {
  readonly kind: 'columnBreak';
}

export type Item = Box | ColumnBreak;

export function box(given: Pick<Box, 'block' | 'h' | 'paint'> & Partial<Box>): Box {
  return {
    kind: 'box',
    anchors: [],
    before: 0,
    grid: false,
    keep: false,
    float: false,
    group: null,
    ink: { from: 0, to: 0 },
    ...given,
  };
}

export const isBox = (item: Item): item is Box => item.kind === 'box';
