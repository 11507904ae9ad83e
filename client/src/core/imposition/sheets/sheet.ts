import type { Rect } from '../../scene/display/matrix.ts';
import type { Turn } from '../settings.ts';
import type { Cells } from './cells.ts';
import type { Line } from './marks.ts';

/** Sheets of paper with cards on them: what imposition plans and painters draw. In millimetres. */

/** A set of cards of one size. */
export interface CardSet {
  readonly size: { readonly w: number; readonly h: number };
  readonly bleed: number;
  /** Copies of each card, in order; 0 leaves a card out. */
  readonly copies: readonly number[];
  readonly hasBacks: boolean;
  /** Boards, which may fold. What is larger than a page counts as a board too. */
  readonly boards?: boolean;
  /** Cells that the seams between pages should not cut. */
  readonly cells?: Cells | undefined;
  /** Name of each card, printed beside the parts of one that is larger than a page. */
  readonly names?: readonly string[];
}

export interface Placement {
  /** Index of the card in the set. */
  readonly card: number;
  /** 0 for the first copy. */
  readonly copy: number;
  readonly side: 'front' | 'back';
  /** Top left corner of the trim as it lies on the sheet; outside the sheet when only a part of the card is shown. */
  readonly x: number;
  readonly y: number;
  readonly turn: Turn;
  /** 1, actual size, when left out. */
  readonly scale?: number;
  /** The part of the page on which the card shows; all of it when left out. */
  readonly clip?: Rect;
}

/** A line of text beside the cards. */
export interface Label {
  readonly text: string;
  /** The text is in the middle of the box's height; turned, it runs along the box's longer side. */
  readonly box: Rect;
  readonly align: 'left' | 'center';
  /** In points; smaller where the box is too narrow. */
  readonly size: number;
  readonly bold?: boolean;
  /** Runs downwards. */
  readonly upright?: boolean;
  /** On white, to be read on a picture. */
  readonly plate?: boolean;
}

export interface Sheet {
  /** `both`: fronts and backs on one side, to be folded. */
  readonly side: 'front' | 'back' | 'both';
  readonly placements: readonly Placement[];
  readonly marks: readonly Line[];
  /** Dashed: where to fold, and where the next page begins. */
  readonly folds: readonly Line[];
  readonly labels?: readonly Label[];
  /** Such as `A2`, of a part of a board. */
  readonly name?: string;
}

/** Split of a card larger than the page. */
export interface Tiling {
  readonly columns: number;
  readonly rows: number;
  /** Seams through cells that no shift avoids. */
  readonly cut: number;
  /** Pages for one in the other orientation; undefined when that cannot be. */
  readonly otherwise: number | undefined;
}

export interface SheetPlan {
  /** The page as it lies. */
  readonly w: number;
  readonly h: number;
  readonly columns: number;
  readonly rows: number;
  /** Cards on a full sheet. */
  readonly perSheet: number;
  /** Bleed printed around each card. */
  readonly bleed: number;
  readonly sheets: readonly Sheet[];
  /** Sheets of paper to put into the printer. */
  readonly papers: number;
  /** Cards printed, copies counted. */
  readonly cards: number;
  /** Of cards larger than the page. */
  readonly tiling?: Tiling;
}
