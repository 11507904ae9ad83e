import type { Column, Row } from '../../scene/card/row.ts';
import { EMPTY_ROW } from '../../scene/card/row.ts';
import type { Layout } from '../../scene/layout.ts';
import type { PrintSettings } from '../settings.ts';
import { cellsOfLayout } from '../sheets/cells.ts';
import type { Placement, SheetPlan } from '../sheets/sheet.ts';
import { cardName } from './card-name.ts';
import { impose } from './impose.ts';

/** A card to print, and its number of copies. */
export interface PrintCard {
  readonly row: Row;
  readonly copies: number;
}

/** A component to print. */
export interface PrintPart {
  readonly name: string;
  readonly layout: Layout;
  /** Layout of the backs. */
  readonly back: Layout | null;
  /** Columns of the table: resolves bindings by a column's name and finds bindings without a column. */
  readonly columns: readonly Column[];
  readonly cards: readonly PrintCard[];
  /** Language that the cards are translated into; their own where it is left out. */
  readonly language?: string;
  /** Boards and mats, which may fold. */
  readonly boards?: boolean;
}

/**
 * The sheets of each part; every part begins on a paper of its own.
 * @throws ImpositionError when cards do not fit the page
 */
export function imposeParts(parts: readonly PrintPart[], settings: PrintSettings): SheetPlan[] {
  const duplex = settings.backs.mode === 'long-edge' || settings.backs.mode === 'short-edge';
  const blankBacks = duplex && parts.some(({ back }) => back !== null);
  return parts.map(({ name, layout, back, cards, columns, boards = false }) =>
    impose(
      {
        size: layout.size,
        bleed: layout.bleed as number,
        copies: cards.map(({ copies }) => copies),
        hasBacks: back !== null,
        boards,
        cells: cellsOfLayout(layout),
        names: cards.map(({ row }, index) => (cards.length > 1 ? cardName(row, columns, index) : name)),
      },
      settings,
      blankBacks,
    ),
  );
}

/** Content of a placement. */
export interface Art {
  /** The same for placements that look alike. */
  readonly key: string;
  readonly layout: Layout;
  readonly row: Row;
}

/** Content of a placement; undefined for a back of a part without one. */
export function artOf(part: PrintPart, { card, side }: Placement, settings: PrintSettings): Art | undefined {
  const found = part.cards[card]?.row;
  if (!found) return undefined;
  const row = { index: card + 1, count: part.cards.length, ...found };
  if (side === 'front') return { key: `front ${card}`, layout: part.layout, row };
  if (!part.back) return undefined;
  return settings.backs.own
    ? { key: `back ${card}`, layout: part.back, row }
    : { key: 'back', layout: part.back, row: EMPTY_ROW };
}
