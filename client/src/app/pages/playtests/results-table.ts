import { FEW, wilson } from '../../../core/play/results/chance.ts';
import { type CardShare, type Share, type Summary, sharesOf } from '../../../core/play/results/statistics.ts';
import type { NamedCards } from '../../../data/play/changed-cards.ts';
import type { PlainTable } from '../../../data/table/download.ts';

/** Numbers of results in words, and the cards as rows. */

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** A share, and its interval and size: `42 %` and `(23–63 %, n = 19)`. */
export function shareParts({ hits, n }: Share): readonly [share: string, size: string] {
  if (n === 0) return ['–', ''];
  const { low, high } = wilson(hits, n);
  return [percent(hits / n), `(${Math.round(low * 100)}–${percent(high)}, n = ${n})`];
}

/** The same in one line; a dash for none. */
export const shareWords = (share: Share): string => shareParts(share).filter(Boolean).join(' ');

export const isFew = (n: number): boolean => n < FEW;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A time in words: `1 h 05 min`, `12 min`, `40 s`. */
export function timeWords(ms: number): string {
  if (ms >= HOUR) {
    const minutes = Math.floor((ms % HOUR) / MINUTE);
    return `${Math.floor(ms / HOUR)} h ${String(minutes).padStart(2, '0')} min`;
  }
  if (ms >= MINUTE) return `${Math.round(ms / MINUTE)} min`;
  return `${Math.round(ms / SECOND)} s`;
}

export interface CardRow extends Readonly<Record<CardShare, Share>> {
  readonly key: string;
  readonly name: string;
  readonly component: string;
  readonly games: number;
  readonly versions: number;
  readonly pieces: number;
  /** Mean time in a hand of those drawn; 0 for none. */
  readonly heldMs: number;
}

/** Cards with their names, those of the project that are gone too. */
export function cardRows(
  { cards }: Pick<Summary, 'cards'>,
  named: ReadonlyMap<string, NamedCards>,
): readonly CardRow[] {
  return cards.map((one) => {
    const component = named.get(one.component);
    return {
      key: `${one.component} ${one.card}`,
      name: component?.cards.get(one.card) ?? 'Deleted card',
      component: component?.name ?? 'Deleted component',
      games: one.games,
      versions: one.versions,
      pieces: one.pieces,
      ...sharesOf(one),
      heldMs: one.drawn === 0 ? 0 : one.heldMs / one.drawn,
    };
  });
}

export const SHARE_NAMES: Readonly<Record<CardShare, string>> = {
  drawn: 'Drawn',
  played: 'Played',
  discarded: 'Discarded unplayed',
  held: 'Held at the end',
  won: 'Winner’s play',
};
export const SHARES = Object.keys(SHARE_NAMES) as readonly CardShare[];

export type SortKey = 'name' | CardShare | 'heldMs';

/** Rows in order; shares of nothing come last. */
export function sortedRows(rows: readonly CardRow[], key: SortKey, descending: boolean): readonly CardRow[] {
  const value = (row: CardRow): number => {
    if (key === 'name') return 0;
    if (key === 'heldMs') return row.heldMs;
    const { hits, n } = row[key];
    return n === 0 ? Number.NaN : hits / n;
  };
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const byName = a.name.localeCompare(b.name, 'en', { numeric: true });
    if (key === 'name') return sign * byName;
    const [left, right] = [value(a), value(b)];
    if (Number.isNaN(left) || Number.isNaN(right)) {
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || byName;
    }
    return sign * (left - right) || byName;
  });
}

/** The cards as a file for spreadsheets: numbers, shares and their intervals. */
export function resultsTable(rows: readonly CardRow[]): PlainTable {
  const three = (share: number) => share.toFixed(3);
  return {
    header: [
      'Card',
      'Component',
      'Games',
      'Versions',
      'Pieces',
      ...SHARES.flatMap((key) => {
        const name = SHARE_NAMES[key].replace('’', "'");
        return [name, `${name}: of`, `${name}: share`, `${name}: from`, `${name}: to`];
      }),
      'Seconds in hand',
    ],
    rows: rows.map((row) => [
      row.name,
      row.component,
      String(row.games),
      String(row.versions),
      String(row.pieces),
      ...SHARES.flatMap((key) => {
        const { hits, n } = row[key];
        const { low, high } = wilson(hits, n);
        return [String(hits), String(n), n === 0 ? '' : three(hits / n), three(low), three(high)];
      }),
      String(Math.round(row.heldMs / SECOND)),
    ]),
  };
}
