import { Tag } from '../parts/small.tsx';
import { DenialTrace } from '../requests/denial-trace.tsx';
import css from './rules.module.css';
import type { Outcome } from './trial.ts';

/** Result of a trial: the verdict, faults in the rules, and the lines that decided. */
export function Result({ outcome, onLine }: { outcome: Outcome; onLine: (line: number) => void }) {
  const { allowed, trace, read = [], issues, note } = outcome;
  return (
    <section className={css.result} aria-label="What came of it">
      {allowed !== undefined && (
        <p role="status" className={css.verdict} data-allowed={allowed}>
          {allowed ? 'Allowed' : 'Denied'}
        </p>
      )}
      {note !== undefined && <p>{note}</p>}
      {issues.map((issue) => (
        <p key={`${issue.line}:${issue.column} ${issue.message}`} className={css.issue}>
          <Tag tone={issue.severity === 'ERROR' ? 'bad' : 'warn'}>{issue.severity.toLowerCase()}</Tag>{' '}
          <button type="button" className={css.toLine} onClick={() => onLine(issue.line)}>
            Line {issue.line}
          </button>{' '}
          {issue.message}
        </p>
      ))}
      {trace && <DenialTrace trace={trace} onLine={onLine} />}
      {read.length > 0 && <p className={css.read}>Read: {read.join(', ')}</p>}
    </section>
  );
}
