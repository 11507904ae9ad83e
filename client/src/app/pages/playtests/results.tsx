import { Button, NativeSelect } from '@mantine/core';
import { ArrowDown, ArrowUp, Download } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { fairness, ROLLS_A_SIDE } from '../../../core/play/results/chance.ts';
import { type Choice, chosenGames } from '../../../core/play/results/choose-games.ts';
import { type Share, type Summary, summaryOf } from '../../../core/play/results/statistics.ts';
import { seatLetter } from '../../../core/play/view/names.ts';
import { type NamedCards, namedCards } from '../../../data/play/changed-cards.ts';
import { useResults } from '../../../data/play/results.ts';
import { openProject } from '../../../data/project/open-project.ts';
import { describeError } from '../../../data/server/messages.ts';
import { toCsv } from '../../../data/table/download.ts';
import { saveFile } from '../../../ui/download.ts';
import { Loading, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { Feedback } from './feedback.tsx';
import { GamesFilter } from './games-filter.tsx';
import css from './results.module.css';
import {
  type CardRow,
  cardRows,
  isFew,
  resultsTable,
  SHARE_NAMES,
  SHARES,
  type SortKey,
  shareParts,
  shareWords,
  sortedRows,
  timeWords,
} from './results-table.ts';

/** A project with games that have ended. */
export interface PlayedProject {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  /** True if the user is its owner or an editor, who reads feedback. */
  readonly edits: boolean;
}

/** Results of the games of a project, which can be chosen. */
export function Results({ projects }: { projects: readonly PlayedProject[] }) {
  const [chosen, setChosen] = useState<string>();
  const project = projects.find(({ id }) => id === chosen) ?? projects[0];
  if (!project) return null;
  return (
    <section className={css.results} aria-labelledby="results">
      <div className={css.head}>
        <h2 id="results">Results</h2>
        {projects.length > 1 && (
          <NativeSelect
            aria-label="Project"
            value={project.id}
            data={projects.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          />
        )}
      </div>
      <ProjectResults key={project.id} project={project} />
      {project.edits && <Feedback key={`feedback ${project.id}`} project={project} />}
    </section>
  );
}

function ProjectResults({ project }: { project: PlayedProject }) {
  const { games, error, older } = useResults(project.id);
  const [choice, setChoice] = useState<Choice>({});
  const summary = useMemo(() => games && summaryOf(chosenGames(games, choice)), [games, choice]);
  if (error) return <Problem title={describeError(error)} />;
  if (!games || !summary) {
    return (
      <>
        <Loading label="Loading results" />
        <Placeholder height={160} radius={12} />
      </>
    );
  }
  if (games.length === 0) {
    return (
      <p className={css.quiet}>
        No results of <bdi>{project.name}</bdi> yet: they are there once a game has ended, for those who see
        the project’s cards.
      </p>
    );
  }
  return (
    <>
      <GamesFilter games={games} choice={choice} onChange={setChoice} />
      <Facts summary={summary} all={games.length} older={older} />
      <Seats summary={summary} />
      <Dice summary={summary} />
      <Cards summary={summary} project={project} />
    </>
  );
}

function Facts({
  summary: { games, ms, players, first, spread },
  all,
  older,
}: {
  summary: Summary;
  /** Games that were read, those that are left out among them. */
  all: number;
  older: number;
}) {
  const read = older > 0 ? `the last ${all} (${all + older} in all)` : String(all);
  const counted = games === all ? read : `${games} of ${read}`;
  const facts: (readonly [string, string, number])[] = [
    ['Games', counted, games],
    ['Players', players === undefined ? '–' : players.toFixed(1), games],
    [
      'Time',
      ms === undefined ? '–' : `${timeWords(ms.mean)} (${timeWords(ms.least)} to ${timeWords(ms.most)})`,
      games,
    ],
    ['First player wins', shareWords(first), first.n],
    [
      'Points between first and second',
      spread === undefined ? '–' : `${spread.mean.toFixed(1)} (n = ${spread.n})`,
      spread?.n ?? 0,
    ],
  ];
  return (
    <dl className={css.facts}>
      {facts.map(([name, words, n]) => (
        <div key={name} data-few={isFew(n) || undefined}>
          <dt>{name}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  );
}

function ShareCell({ share }: { share: Share }) {
  const [words, size] = shareParts(share);
  return (
    <td data-few={isFew(share.n) || undefined}>
      {words} {size && <small>{size}</small>}
    </td>
  );
}

function Seats({ summary: { seats } }: { summary: Summary }) {
  return (
    <div className={css.scroll}>
      <table className={css.table}>
        <caption>By seat</caption>
        <thead>
          <tr>
            <th scope="col">Seat</th>
            <th scope="col">Games</th>
            <th scope="col">Won</th>
            <th scope="col">Time a turn</th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {seats.map(({ seat, games, wins, turns, ms, points }) => (
            <tr key={seat}>
              <th scope="row">{seatLetter(seat)}</th>
              <td>{games}</td>
              <ShareCell share={wins} />
              <td data-few={isFew(turns) || undefined}>
                {turns === 0 ? '–' : `${timeWords(ms / turns)} (n = ${turns})`}
              </td>
              <td data-few={isFew(points?.n ?? 0) || undefined}>
                {points === undefined ? '–' : `${points.mean.toFixed(1)} (n = ${points.n})`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Dice({ summary: { dice } }: { summary: Summary }) {
  return dice.map(({ sides, counts }) => {
    const n = counts.reduce((sum, count) => sum + count, 0);
    const test = fairness(counts);
    const most = Math.max(1, ...counts);
    return (
      <figure key={sides} className={css.dice}>
        <figcaption>
          Dice of {sides} sides: {n} {n === 1 ? 'roll' : 'rolls'}
          {test && (
            <span data-few={n < ROLLS_A_SIDE * sides || undefined}>
              {' '}
              (χ² = {test.chi2.toFixed(1)}, p = {test.p.toFixed(2)}
              {n < ROLLS_A_SIDE * sides && ', too few rolls to say'})
            </span>
          )}
        </figcaption>
        <ol className={css.sides}>
          {counts.map((count, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sides have no other name
            <li key={at}>
              <span>{at + 1}</span>
              <meter min={0} max={most} value={count} aria-label={`Side ${at + 1}`} />
              <span>{count}</span>
            </li>
          ))}
        </ol>
      </figure>
    );
  });
}

function Cards({ summary, project: { id, owner, name } }: { summary: Summary; project: PlayedProject }) {
  const [named, setNamed] = useState<ReadonlyMap<string, NamedCards>>();
  const [sort, setSort] = useState<{ key: SortKey; descending: boolean }>({ key: 'name', descending: false });
  const components = useMemo(
    () => [...new Set(summary.cards.map(({ component }) => component))].sort(),
    [summary],
  );
  useEffect(() => {
    let current = true;
    namedCards(openProject({ id, owner }), components).then(
      (found) => current && setNamed(found),
      // Without names there are still numbers.
      () => current && setNamed(new Map()),
    );
    return () => {
      current = false;
    };
  }, [id, owner, components]);
  const rows = useMemo(() => (named ? cardRows(summary, named) : []), [summary, named]);
  const sorted = useMemo(() => sortedRows(rows, sort.key, sort.descending), [rows, sort]);
  if (summary.cards.length === 0) return null;
  if (!named) return <Loading label="Loading the names of cards" />;
  const download = () => {
    const text = toCsv(resultsTable(sorted), true);
    saveFile(`${name} results.csv`, new Blob([text], { type: 'text/csv' }));
  };
  return (
    <>
      <div className={css.head}>
        <h3>Cards</h3>
        <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={download}>
          Download CSV
        </Button>
      </div>
      <p className={css.quiet}>
        Of all pieces: drawn to a hand. Of those drawn: played to the table, put on a pile without being
        played, held at the end. Of those played in games with a winner: by the winner. In brackets is what
        the share may well be in truth; grey numbers come from fewer than five.
      </p>
      <div className={css.scroll}>
        <table className={css.table}>
          <caption>Cards of all games</caption>
          <thead>
            <tr>
              <SortHead of="name" sort={sort} onSort={setSort}>
                Card
              </SortHead>
              {SHARES.map((key) => (
                <SortHead key={key} of={key} sort={sort} onSort={setSort}>
                  {SHARE_NAMES[key]}
                </SortHead>
              ))}
              <SortHead of="heldMs" sort={sort} onSort={setSort}>
                In hand
              </SortHead>
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <CardLine key={row.key} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function CardLine({ row }: { row: CardRow }) {
  return (
    <tr>
      <th scope="row">
        {row.name}
        <small>
          {row.component}
          {row.versions > 1 && `, ${row.versions} versions`}
        </small>
      </th>
      {SHARES.map((key) => (
        <ShareCell key={key} share={row[key]} />
      ))}
      <td data-few={isFew(row.drawn.hits) || undefined}>
        {row.drawn.hits === 0 ? '–' : timeWords(row.heldMs)}
      </td>
    </tr>
  );
}

function SortHead({
  of,
  sort: { key, descending },
  onSort,
  children,
}: {
  of: SortKey;
  sort: { key: SortKey; descending: boolean };
  onSort: (sort: { key: SortKey; descending: boolean }) => void;
  children: string;
}) {
  const isOn = key === of;
  return (
    <th scope="col" aria-sort={isOn ? (descending ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        className={css.sort}
        onClick={() => onSort({ key: of, descending: isOn ? !descending : of !== 'name' })}
      >
        {children}
        {isOn && (descending ? <ArrowDown size={13} aria-hidden /> : <ArrowUp size={13} aria-hidden />)}
      </button>
    </th>
  );
}
