/** Statistics of ended games, added up over the games of a project. Times are in milliseconds. */

/** A game as the server counts it (`functions-host/table/src/stats.rs`). */
export interface GameStatistics {
  readonly begun: number;
  readonly ended: number;
  readonly ms: number;
  readonly acts: number;
  readonly rounds: number;
  readonly shuffles: number;
  readonly seats: readonly SeatStatistics[];
  readonly first: number | null;
  readonly dice: readonly { readonly sides: number; readonly counts: readonly number[] }[];
  readonly cards: readonly CardStatistics[];
}

export interface SeatStatistics {
  readonly seat: number;
  readonly name: string;
  readonly turns: number;
  readonly ms: number;
  readonly acts: number;
  readonly won: boolean;
  readonly points: number | null;
}

export interface CardStatistics {
  readonly component: string;
  readonly cards: readonly string[];
  readonly version: string;
  readonly pieces: number;
  readonly drawn: number;
  readonly played: number;
  readonly discarded: number;
  readonly held: number;
  readonly won: number;
  readonly held_ms: number;
}

/** A game of a project, and the table it was played at. */
export interface Game {
  readonly table: string;
  readonly name: string;
  /** The version of the project that was played; nothing for the project as it was that day. */
  readonly version?: { readonly id: string; readonly name: string } | undefined;
  readonly statistics: GameStatistics;
}

/** A share with its size: `hits` of `n`. */
export interface Share {
  readonly hits: number;
  readonly n: number;
}

export interface SeatSummary {
  readonly seat: number;
  /** Games with a winner in which somebody sat there, and those that it won. */
  readonly wins: Share;
  /** Games, turns and their time. */
  readonly games: number;
  readonly turns: number;
  readonly ms: number;
  /** Mean of the points, over the games that gave any. */
  readonly points: { readonly mean: number; readonly n: number } | undefined;
}

export interface CardSummary {
  readonly component: string;
  readonly card: string;
  /** Versions of the card that were played with. */
  readonly versions: number;
  readonly games: number;
  readonly pieces: number;
  readonly drawn: number;
  readonly played: number;
  readonly discarded: number;
  readonly held: number;
  readonly heldMs: number;
  /** Played in games with a winner, and by a winner among those. */
  readonly won: Share;
}

export type CardShare = 'drawn' | 'played' | 'discarded' | 'held' | 'won';

/** Outcomes of a card: of its pieces those that were drawn, and of the drawn ones the rest. */
export const sharesOf = ({
  pieces,
  drawn,
  played,
  discarded,
  held,
  won,
}: CardSummary): Readonly<Record<CardShare, Share>> => ({
  drawn: { hits: drawn, n: pieces },
  played: { hits: played, n: drawn },
  discarded: { hits: discarded, n: drawn },
  held: { hits: held, n: drawn },
  won,
});

export interface Summary {
  readonly games: number;
  readonly ms: { readonly mean: number; readonly least: number; readonly most: number } | undefined;
  readonly players: number | undefined;
  readonly seats: readonly SeatSummary[];
  /** Games with a winner and a first turn, and those that its seat won. */
  readonly first: Share;
  /** Points between the best seat and the second, over games that give two any. */
  readonly spread: { readonly mean: number; readonly n: number } | undefined;
  readonly dice: readonly { readonly sides: number; readonly counts: readonly number[] }[];
  readonly cards: readonly CardSummary[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const mean = (numbers: readonly number[]) =>
  numbers.length === 0 ? undefined : { mean: sum(numbers) / numbers.length, n: numbers.length };

const hasWinner = ({ seats }: GameStatistics): boolean => seats.some(({ won }) => won);

/** Adds games up. */
export function summaryOf(games: readonly Game[]): Summary {
  const all = games.map(({ statistics }) => statistics);
  const times = all.map(({ ms }) => ms);
  const decided = all.filter(hasWinner);
  const opened = decided.filter(({ first }) => first !== null);
  return {
    games: all.length,
    ms:
      times.length === 0
        ? undefined
        : { mean: sum(times) / times.length, least: Math.min(...times), most: Math.max(...times) },
    players: mean(all.map(({ seats }) => seats.length))?.mean,
    seats: seatsOf(all),
    first: {
      hits: opened.filter(({ first, seats }) => seats.some(({ seat, won }) => won && seat === first)).length,
      n: opened.length,
    },
    spread: mean(all.flatMap(spreadOf)),
    dice: diceOf(all),
    cards: cardsOf(all),
  };
}

function spreadOf({ seats }: GameStatistics): number[] {
  const points = seats.flatMap((seat) => seat.points ?? []).sort((a, b) => b - a);
  const [best, second] = points;
  return best === undefined || second === undefined ? [] : [best - second];
}

function seatsOf(games: readonly GameStatistics[]): SeatSummary[] {
  const numbers = [...new Set(games.flatMap(({ seats }) => seats.map(({ seat }) => seat)))];
  return numbers
    .sort((a, b) => a - b)
    .map((seat) => {
      const at = games.flatMap((game) =>
        game.seats.filter((one) => one.seat === seat).map((one) => ({ ...one, decided: hasWinner(game) })),
      );
      return {
        seat,
        wins: { hits: at.filter(({ won }) => won).length, n: at.filter(({ decided }) => decided).length },
        games: at.length,
        turns: sum(at.map(({ turns }) => turns)),
        ms: sum(at.map(({ ms }) => ms)),
        points: mean(at.flatMap(({ points }) => points ?? [])),
      };
    });
}

function diceOf(games: readonly GameStatistics[]): Summary['dice'] {
  const bySides = new Map<number, number[]>();
  for (const { sides, counts } of games.flatMap(({ dice }) => dice)) {
    const known = bySides.get(sides) ?? Array.from({ length: sides }, () => 0);
    bySides.set(
      sides,
      known.map((count, side) => count + (counts[side] ?? 0)),
    );
  }
  return [...bySides].sort(([a], [b]) => a - b).map(([sides, counts]) => ({ sides, counts }));
}

function cardsOf(games: readonly GameStatistics[]): CardSummary[] {
  const found = new Map<string, CardSummary & { seen: Set<string>; last: GameStatistics | undefined }>();
  for (const game of games) {
    const decided = hasWinner(game);
    for (const one of game.cards) {
      // Each side of a die is a card of its own.
      for (const card of one.cards) {
        const key = JSON.stringify([one.component, card]);
        const known = found.get(key) ?? {
          ...NO_CARD,
          component: one.component,
          card,
          seen: new Set(),
          last: undefined,
        };
        found.set(key, {
          ...known,
          seen: known.seen.add(one.version),
          games: known.games + (known.last === game ? 0 : 1),
          last: game,
          pieces: known.pieces + one.pieces,
          drawn: known.drawn + one.drawn,
          played: known.played + one.played,
          discarded: known.discarded + one.discarded,
          held: known.held + one.held,
          heldMs: known.heldMs + one.held_ms,
          won: {
            hits: known.won.hits + one.won,
            n: known.won.n + (decided ? one.played : 0),
          },
        });
      }
    }
  }
  return [...found.values()].map(({ seen, last: _last, ...card }) => ({ ...card, versions: seen.size }));
}

const NO_CARD: CardSummary = {
  component: '',
  card: '',
  versions: 0,
  games: 0,
  pieces: 0,
  drawn: 0,
  played: 0,
  discarded: 0,
  held: 0,
  heldMs: 0,
  won: { hits: 0, n: 0 },
};
