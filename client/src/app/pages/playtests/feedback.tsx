import { Button } from '@mantine/core';
import { Download, ListChecks } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { feedbackTable, type Summed, summed } from '../../../core/play/results/feedback.ts';
import { type ProjectFeedback, readFeedback } from '../../../data/play/feedback.ts';
import { useProjectTables, versionOfTable } from '../../../data/play/tables.ts';
import { describeError } from '../../../data/server/messages.ts';
import { toCsv } from '../../../data/table/download.ts';
import { saveFile } from '../../../ui/download.ts';
import { Loading, Problem } from '../../../ui/page/page.tsx';
import { QuestionsWindow } from './questions-window.tsx';
import css from './results.module.css';

/** Answers of the players of a project, for its owner and editors. */
export function Feedback({
  project: { id, name },
}: {
  project: { readonly id: string; readonly name: string };
}) {
  const [found, setFound] = useState<ProjectFeedback>();
  const [failure, setFailure] = useState<string>();
  const [asking, setAsking] = useState(false);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again after the questions have changed
  useEffect(() => {
    let current = true;
    readFeedback(id).then(
      (read) => current && setFound(read),
      (error: unknown) => current && setFailure(describeError(error)),
    );
    return () => {
      current = false;
    };
  }, [id, asked]);
  const tables = useProjectTables(id).data?.items;
  const given = useMemo(() => {
    const versions = new Map((tables ?? []).map((table) => [table.id, versionOfTable(table)]));
    return (found?.feedback ?? []).map((one) => ({ ...one, version: versions.get(one.table) }));
  }, [found, tables]);
  const sums = useMemo(() => summed(given), [given]);
  if (failure) return <Problem title={failure} />;
  if (!found) return <Loading label="Loading feedback" />;
  const { feedback, more, questions } = found;
  const download = () => {
    const text = toCsv(feedbackTable(given), true);
    saveFile(`${name} feedback.csv`, new Blob([text], { type: 'text/csv' }));
  };
  return (
    <section aria-label="Feedback">
      <div className={css.head}>
        <h3>Feedback</h3>
        <span className={css.actions}>
          <Button
            variant="default"
            leftSection={<ListChecks size={16} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            Questions
          </Button>
          {feedback.length > 0 && (
            <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={download}>
              Download feedback
            </Button>
          )}
        </span>
      </div>
      <p className={css.quiet}>
        {feedback.length === 0
          ? 'Nobody has left feedback yet: whoever is at a table finds the questions there, and is asked when the game has ended.'
          : `${feedback.length} ${feedback.length === 1 ? 'person has' : 'people have'} answered${more ? '; more have, who are not shown' : ''}.`}
      </p>
      <div className={css.answers}>
        {sums.map((sum) => (
          <Answers key={`${sum.kind} ${sum.ask}`} sum={sum} />
        ))}
      </div>
      <QuestionsWindow
        open={asking}
        project={id}
        questions={questions}
        onClose={(changed) => {
          setAsking(false);
          if (changed) setAsked((times) => times + 1);
        }}
      />
    </section>
  );
}

function Answers({ sum }: { sum: Summed }) {
  return (
    <figure className={css.dice}>
      <figcaption>
        {sum.ask}{' '}
        <span>
          {sum.kind === 'scale' && sum.n > 0 && `${sum.mean.toFixed(1)} of 5, `}n = {sum.n}
        </span>
      </figcaption>
      {sum.kind === 'text' ? (
        <ul className={css.words}>
          {sum.words.map(({ by, version, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same
            <li key={at}>
              {text}
              <small>{[by || 'Somebody', version].filter(Boolean).join(', ')}</small>
            </li>
          ))}
        </ul>
      ) : (
        <Bars sum={sum} />
      )}
    </figure>
  );
}

function Bars({ sum }: { sum: Exclude<Summed, { kind: 'text' }> }) {
  const bars: readonly (readonly [string, number])[] =
    sum.kind === 'scale'
      ? sum.counts.map((count, at) => {
          const end = at === 0 ? sum.low : at === sum.counts.length - 1 ? sum.high : '';
          return [end ? `${at + 1}, ${end}` : String(at + 1), count] as const;
        })
      : sum.counts;
  const most = Math.max(1, ...bars.map(([, count]) => count));
  return (
    <ol className={css.bars}>
      {bars.map(([name, count]) => (
        <li key={name}>
          <span>{name}</span>
          <meter min={0} max={most} value={count} aria-label={name} />
          <span>{count}</span>
        </li>
      ))}
    </ol>
  );
}
