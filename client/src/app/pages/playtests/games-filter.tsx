import { NativeSelect } from '@mantine/core';
import { type Choice, hasVersions, playerCounts } from '../../../core/play/results/choose-games.ts';
import type { Game } from '../../../core/play/results/statistics.ts';
import css from './results.module.css';

const [ALL, NEWEST] = ['all', 'newest'];
const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** Chooses the games and the versions of cards that are counted, where there is a choice. */
export function GamesFilter({
  games,
  choice,
  onChange,
}: {
  games: readonly Game[];
  choice: Choice;
  onChange: (choice: Choice) => void;
}) {
  const counts = playerCounts(games);
  const versions = hasVersions(games);
  if (counts.length < 2 && !versions) return null;
  return (
    <div className={css.filter}>
      {counts.length > 1 && (
        <NativeSelect
          label="Players"
          value={choice.players ?? ALL}
          data={[
            { value: ALL, label: 'Any number' },
            ...counts.map(([players, played]) => ({
              value: String(players),
              label: `${counted(players, 'player', 'players')} (${counted(played, 'game', 'games')})`,
            })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            const { players: _, ...rest } = choice;
            onChange(value === ALL ? rest : { ...rest, players: Number(value) });
          }}
        />
      )}
      {versions && (
        <NativeSelect
          label="Cards"
          value={choice.newest ? NEWEST : ALL}
          data={[
            { value: ALL, label: 'All versions added up' },
            { value: NEWEST, label: 'As they were played last' },
          ]}
          onChange={({ currentTarget: { value } }) => onChange({ ...choice, newest: value === NEWEST })}
        />
      )}
    </div>
  );
}
