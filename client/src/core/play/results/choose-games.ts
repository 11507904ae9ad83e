/** Games and cards whose results are counted. */

import type { CardStatistics, Game } from './statistics.ts';

/** A choice of games and cards. */
export interface Choice {
  /** Games of this many players; all of them without it. */
  readonly players?: number;
  /** Games of this version of the project, or {@link OF_NO_VERSION}; all of them without it. */
  readonly version?: string;
  /** Cards in the version that was played last; without it all versions are added up. */
  readonly newest?: boolean;
}

/** In the place of a version's id: games of the project as it was on their day. */
export const OF_NO_VERSION = '';

const playersOf = ({ statistics: { seats } }: Game): number => seats.length;
/** A sheet of a component may have several cards of one face. */
const keyOf = ({ component, cards }: CardStatistics): string => JSON.stringify([component, ...cards]);

/** Numbers of players that games had, the least first, and how many games had them. */
export function playerCounts(games: readonly Game[]): readonly (readonly [players: number, games: number])[] {
  const counts = new Map<number, number>();
  for (const game of games) counts.set(playersOf(game), (counts.get(playersOf(game)) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => one - other);
}

/** A version of the project that was played. */
export interface PlayedVersion {
  /** {@link OF_NO_VERSION} for the project as it was on the day of a game. */
  readonly id: string;
  /** The name that it had at the newest of its games. */
  readonly name: string;
  readonly games: number;
}

/** Versions of the project that games were of, the one that was played last first. @param games the newest first */
export function playedVersions(games: readonly Game[]): readonly PlayedVersion[] {
  const versions = new Map<string, PlayedVersion>();
  for (const { version } of games) {
    const id = version?.id ?? OF_NO_VERSION;
    const known = versions.get(id) ?? { id, name: version?.name ?? '', games: 0 };
    versions.set(id, { ...known, games: known.games + 1 });
  }
  return [...versions.values()];
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
export function chosenGames(games: readonly Game[], { players, version, newest }: Choice): readonly Game[] {
  const isChosen = (game: Game) =>
    (players === undefined || playersOf(game) === players) &&
    (version === undefined || (game.version?.id ?? OF_NO_VERSION) === version);
  const chosen = players === undefined && version === undefined ? games : games.filter(isChosen);
  if (!newest) return chosen;
  // Of all games: leaving some out makes no version newer.
  const versions = newestVersions(games);
  return chosen.map((game) => {
    const cards = game.statistics.cards.filter((card) => versions.get(keyOf(card)) === card.version);
    return { ...game, statistics: { ...game.statistics, cards } };
  });
}
