import { Tag } from '../parts/small.tsx';
import css from './requests.module.css';

/** Why the rules denied a request. */
export interface Trace {
  readonly method: string;
  readonly path: string;
  readonly statements: readonly {
    readonly match: string;
    readonly line: number;
    readonly condition: string;
    readonly verdict: 'false' | 'failed' | 'unproven';
    readonly message: string | null;
    readonly causes: readonly {
      readonly expression: string;
      readonly line: number;
      readonly column: number;
      readonly value: string;
    }[];
  }[];
}

const VERDICTS = {
  false: 'is false',
  failed: 'has no value',
  unproven: 'does not hold for everything the query could find',
} as const;

/** Each statement that could have allowed it, what came of it, and the values that decided. */
export function DenialTrace({ trace, onLine }: { trace: Trace; onLine?: (line: number) => void }) {
  if (trace.statements.length === 0) {
    return <p className={css.none}>No match block that covers the path allows {trace.method}.</p>;
  }
  return (
    <ol className={css.trace} aria-label="Why it is denied">
      {trace.statements.map((statement) => (
        <li key={`${statement.match} ${statement.line}`}>
          <p>
            {onLine ? (
              <button type="button" className={css.toLine} onClick={() => onLine(statement.line)}>
                Line {statement.line}
              </button>
            ) : (
              <strong>Line {statement.line}</strong>
            )}{' '}
            <code>{statement.match}</code>
          </p>
          <pre>{statement.condition}</pre>
          <p>
            <Tag tone="bad">{VERDICTS[statement.verdict]}</Tag> {statement.message}
          </p>
          <ul>
            {statement.causes.map((cause) => (
              <li key={`${cause.line}:${cause.column} ${cause.expression}`}>
                <code>{cause.expression}</code>
                <span aria-hidden>=</span>
                <code>{cause.value}</code>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
