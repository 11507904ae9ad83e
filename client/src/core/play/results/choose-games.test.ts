import { expect, test } from 'vitest';
import { chosenGames, hasVersions, OF_NO_VERSION, playedVersions, playerCounts } from './choose-games.ts';
import { type Game, summaryOf } from './statistics.ts';

const card = (id: string, version: string, drawn: number) => ({
  ...{ component: 'c', cards: [id], version, pieces: 4, drawn },
  ...{ played: 0, discarded: 0, held: 0, won: 0, held_ms: 0 },
});
const seat = (no: number) => ({
  ...{ seat: no, name: '', turns: 1, ms: 1, acts: 1, won: no === 0, points: null },
});
const game = (ended: number, players: number, cards: ReturnType<typeof card>[]): Game => ({
  table: `t${ended}`,
  name: 'Friday',
  statistics: {
    ...{ begun: 0, ended, ms: 1, acts: 1, rounds: 1, shuffles: 0, first: 0, dice: [] },
    seats: Array.from({ length: players }, (_, no) => seat(no)),
    cards,
  },
});

/** Newest first, as they are read. The fox was changed after the first game, the owl never. */
const GAMES = [
  game(30, 2, [card('fox', 'v2', 1)]),
  game(20, 4, [card('fox', 'v2', 2), card('owl', 'v1', 3)]),
  game(10, 2, [card('fox', 'v1', 4), card('owl', 'v1', 4)]),
];
const drawn = (games: readonly Game[]) =>
  Object.fromEntries(summaryOf(games).cards.map((one) => [one.card, one.drawn]));

test('all games and versions are counted unless something else is chosen', () => {
  expect(chosenGames(GAMES, {})).toBe(GAMES);
  expect(drawn(GAMES)).toEqual({ fox: 7, owl: 7 });
});

test('games of a number of players are counted alone', () => {
  expect(playerCounts(GAMES)).toEqual([
    [2, 2],
    [4, 1],
  ]);
  expect(drawn(chosenGames(GAMES, { players: 4 }))).toEqual({ fox: 2, owl: 3 });
  expect(chosenGames(GAMES, { players: 3 })).toEqual([]);
});

test('cards are counted in the version that was played last, whatever the number of players', () => {
  expect(hasVersions(GAMES)).toBe(true);
  expect(hasVersions(GAMES.slice(0, 2))).toBe(false);
  expect(drawn(chosenGames(GAMES, { newest: true }))).toEqual({ fox: 3, owl: 7 });
  expect(drawn(chosenGames(GAMES, { newest: true, players: 2 }))).toEqual({ fox: 1, owl: 4 });
});

test('games of a version of the project are counted alone, and so are those of none', () => {
  const old = { id: 'x', name: 'v0.7' };
  const [last, middle, first] = GAMES as [Game, Game, Game];
  const games: Game[] = [{ ...last, version: { ...old, name: 'Fair' } }, middle, { ...first, version: old }];
  expect(playedVersions(games)).toEqual([
    { id: 'x', name: 'Fair', games: 2 },
    { id: OF_NO_VERSION, name: '', games: 1 },
  ]);
  expect(playedVersions(GAMES)).toHaveLength(1);
  expect(drawn(chosenGames(games, { version: 'x' }))).toEqual({ fox: 5, owl: 4 });
  expect(drawn(chosenGames(games, { version: OF_NO_VERSION }))).toEqual({ fox: 2, owl: 3 });
  expect(chosenGames(games, { version: 'x', players: 4 })).toEqual([]);
  expect(drawn(chosenGames(games, { version: 'x', newest: true }))).toEqual({ fox: 1, owl: 4 });
});
