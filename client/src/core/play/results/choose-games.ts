/** Games and cards whose results are counted. */

import type { CardStatistics, Game } from './statistics.ts';

/** A choice of games and cards. */
export interface Choice {
  /** Games of this many players; all of them without it. */
  readonly players?: number;
  /** Cards in the version that was played last; without it all versions are added up. */
  readonly newest?: boolean;
}

const playersOf = ({ statistics: { seats } }: Game): number => seats.length;
/** A sheet of a component may have several cards of one face. */
const keyOf = ({ component, cards }: CardStatistics): string => JSON.stringify([component, ...cards]);

/** Numbers of players that games had, the least first, and how many games had them. */
export function playerCounts(games: readonly Game[]): readonly (readonly [players: number, games: number])[] {
  const counts = new Map<number, number>();
  for (const game of games) counts.set(playersOf(game), (counts.get(playersOf(game)) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => one - other);
}

/** Versions of cards in the last game in which each was. */
function newestVersions(games: readonly Game[]): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  const inOrder = [...games].sort((a, b) => a.statistics.ended - b.statistics.ended);
  for (const { statistics } of inOrder)
    for (const card of statistics.cards) versions.set(keyOf(card), card.version);
  return versions;
}

/** True if a card was played in more than one version. */
export function hasVersions(games: readonly Game[]): boolean {
  const newest = newestVersions(games);
  return games.some(({ statistics: { cards } }) =>
    cards.some((card) => newest.get(keyOf(card)) !== card.version),
  );
}

/** The games of a choice, with its cards. */
export function chosenGames(games: readonly Game[], { players, newest }: Choice): readonly Game[] {
  const chosen = players === undefined ? games : games.filter((game) => playersOf(game) === players);
  if (!newest) return chosen;
  // Of all games: a version is no newer because games of other sizes are left out.
  const versions = newestVersions(games);
  return chosen.map((game) => {
    const cards = game.statistics.cards.filter((card) => versions.get(keyOf(card)) === card.version);
    return { ...game, statistics: { ...game.statistics, cards } };
  });
}
