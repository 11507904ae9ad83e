import { NativeSelect } from '@mantine/core';
import {
  type Choice,
  hasVersions,
  OF_NO_VERSION,
  playedVersions,
  playerCounts,
} from '../../../core/play/results/choose-games.ts';
import type { Game } from '../../../core/play/results/statistics.ts';
import css from './results.module.css';

const [ALL, NEWEST, OF] = ['all', 'newest', 'of '];
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
  const played = playedVersions(games);
  const versions = hasVersions(games);
  if (counts.length < 2 && played.length < 2 && !versions) return null;
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
      {played.length > 1 && (
        <NativeSelect
          label="Version played"
          value={choice.version === undefined ? ALL : `${OF}${choice.version}`}
          data={[
            { value: ALL, label: 'All of them' },
            ...played.map(({ id, name, games: of }) => ({
              value: `${OF}${id}`,
              label: `${id === OF_NO_VERSION ? 'The project as it was that day' : name} (${counted(of, 'game', 'games')})`,
            })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            const { version: _, ...rest } = choice;
            onChange(value === ALL ? rest : { ...rest, version: value.slice(OF.length) });
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
