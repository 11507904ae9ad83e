import { FEW, wilson } from '../../../../../core/play/results/chance.ts';
import {
  type CardShare,
  type CardSummary,
  type Share,
  sharesOf,
} from '../../../../../core/play/results/statistics.ts';
import type { TableColumn } from '../../../../../data/documents/documents.ts';
import css from '../sheet/cells.module.css';
import type { SheetCellProps } from '../sheet/sheet.tsx';

/** Columns with what came of the cards at playtest tables. They are worked out, and part of no card. */

/** Results by card. */
export type CardResults = ReadonlyMap<string, CardSummary>;

const SHARES: Readonly<Record<string, readonly [name: string, share: CardShare]>> = {
  '#result drawn': ['Drawn', 'drawn'],
  '#result played': ['Played', 'played'],
  '#result discarded': ['Unplayed', 'discarded'],
  '#result won': ['Winner’s play', 'won'],
};

export const RESULT_COLUMNS: readonly TableColumn[] = Object.entries(SHARES).map(([key, [name]]) => ({
  key,
  name,
  type: 'text',
  width: name.length > 9 ? 150 : 124,
}));

export const isResult = (key: string): boolean => Object.hasOwn(SHARES, key);

function shareOf(card: CardSummary | undefined, key: string): Share {
  const [, share] = SHARES[key] ?? [];
  return card && share ? sharesOf(card)[share] : { hits: 0, n: 0 };
}

/** A share in a cell: `42 % of 19`; nothing for a card that was not played with. */
export function resultText(card: CardSummary | undefined, key: string): string {
  const { hits, n } = shareOf(card, key);
  return n === 0 ? '' : `${Math.round((hits / n) * 100)} % of ${n}`;
}

/** A cell of these columns; grey where it is from few, with its interval as its title. */
export function ResultCell({ row, column, text }: SheetCellProps) {
  if (row.kind !== 'card') return null;
  const { hits, n } = shareOf((column.data as { results: CardResults }).results.get(row.id), column.key);
  const { low, high } = wilson(hits, n);
  const interval = `${Math.round(low * 100)} to ${Math.round(high * 100)} %`;
  return (
    <span
      className={css.text}
      data-lines={1}
      data-few={n < FEW || undefined}
      {...(n > 0 && { title: `${hits} of ${n}; in truth it may well be ${interval}` })}
    >
      <span className={css.words}>{text}</span>
    </span>
  );
}
