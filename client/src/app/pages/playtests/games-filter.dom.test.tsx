// @vitest-environment happy-dom
/** The choice of games is offered where there is one, and says how many games each number of players has. */

import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { type Choice, chosenGames } from '../../../core/play/results/choose-games.ts';
import type { Game } from '../../../core/play/results/statistics.ts';
import { GamesFilter } from './games-filter.tsx';

const game = (table: string, players: number, version?: string): Game => ({
  table,
  name: table,
  statistics: {
    ...{ begun: 0, ended: Number(table), ms: 1, acts: 1, rounds: 1, shuffles: 0, first: 0, dice: [] },
    seats: Array.from({ length: players }, (_, seat) => ({
      ...{ seat, name: '', turns: 0, ms: 0, acts: 0, won: false, points: null },
    })),
    cards: version
      ? [
          {
            ...{ component: 'c', cards: ['k'], version, pieces: 1, drawn: 0, played: 0 },
            ...{ discarded: 0, held: 0, won: 0, held_ms: 0 },
          },
        ]
      : [],
  },
});

function Shown({ games }: { games: readonly Game[] }) {
  const [choice, setChoice] = useState<Choice>({});
  return (
    <MantineProvider>
      <GamesFilter games={games} choice={choice} onChange={setChoice} />
      <output>{`${chosenGames(games, choice).length} ${choice.newest === true}`}</output>
    </MantineProvider>
  );
}

afterEach(cleanup);

test('games that are alike leave nothing to choose', () => {
  render(<Shown games={[game('1', 2, 'a'), game('2', 2, 'a')]} />);
  expect(screen.queryByRole('combobox')).toBeNull();
});

test('players and versions are chosen each on its own, and all of them again', () => {
  render(<Shown games={[game('1', 2, 'a'), game('2', 1, 'b'), game('3', 2, 'b')]} />);
  const players = screen.getByLabelText('Players');
  const words = [...players.querySelectorAll('option')].map((option) => option.textContent);
  expect(words).toEqual(['Any number', '1 player (1 game)', '2 players (2 games)']);
  fireEvent.change(players, { target: { value: '2' } });
  fireEvent.change(screen.getByLabelText('Cards'), { target: { value: 'newest' } });
  expect(screen.getByRole('status').textContent).toBe('2 true');
  fireEvent.change(players, { target: { value: 'all' } });
  expect(screen.getByRole('status').textContent).toBe('3 true');
});
