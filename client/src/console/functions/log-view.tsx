import { ArrowDownToLine, ScrollText } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Problem } from '../../ui/page/page.tsx';
import { Pane, Quiet } from '../parts/panes.tsx';
import { Waiting } from '../parts/rows.tsx';
import { IconButton } from '../parts/small.tsx';
import { when } from '../parts/units.ts';
import { emulator } from '../server/server.ts';
import { type Stream, useEvents } from '../server/use-events.ts';
import css from './functions.module.css';

/** One line of a function, or of the host about functions. */
interface LogLine {
  readonly time: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly origin: 'output' | 'call' | 'host';
  readonly function: string | null;
  readonly worker: number | null;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

function Line({ line }: { line: LogLine }) {
  // Fields meant for the cloud's log viewer are left out.
  const data = Object.entries(line.data).filter(([key]) => !key.startsWith('logging.googleapis.com/'));
  const more = data.length > 0 && JSON.stringify(Object.fromEntries(data));
  return (
    <li className={css.logLine} data-level={line.level} data-origin={line.origin}>
      <time dateTime={line.time}>{when(line.time)}</time>
      <span className={css.who}>{line.function ?? (line.origin === 'host' ? 'host' : '')}</span>
      <span className={css.said}>
        {line.text}
        {more && (
          <span className={css.data} title={more}>
            {more}
          </span>
        )}
      </span>
    </li>
  );
}

function Said({
  stream,
  lines,
  text,
}: {
  stream: Stream;
  lines: readonly (readonly [number, LogLine])[];
  text: string;
}) {
  if (stream.error !== undefined) {
    return (
      <Quiet icon={<ScrollText size={28} />} title="No lines to show">
        {stream.error}
      </Quiet>
    );
  }
  if (lines.length > 0) {
    return (
      <ol className={css.log}>
        {lines.map(([number, line]) => (
          <Line key={number} line={line} />
        ))}
      </ol>
    );
  }
  if (stream.state === 'opening') return <Waiting />;
  return (
    <Quiet icon={<ScrollText size={28} />} title={text === '' ? 'Nothing printed yet' : 'No line has this'}>
      What functions print, and how their calls end, appears here as it happens.
    </Quiet>
  );
}

/** Live output of the functions. */
export function LogView({ only }: { only: string | undefined }) {
  const stream = useEvents(emulator('logs'), 'line');
  const [text, setText] = useState('');
  const [level, setLevel] = useState<(typeof LEVELS)[number]>('debug');
  const [follow, setFollow] = useState(true);
  const end = useRef<HTMLDivElement>(null);
  const wanted = text.trim().toLowerCase();
  const lines = stream.entries
    .map(({ number, data }) => [number, data as LogLine] as const)
    .filter(
      ([, line]) =>
        (only === undefined || line.function === only || line.function === null) &&
        LEVELS.indexOf(line.level) >= LEVELS.indexOf(level) &&
        (wanted === '' || `${line.text} ${JSON.stringify(line.data)}`.toLowerCase().includes(wanted)),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line is scrolled to
  useEffect(() => {
    if (follow) end.current?.scrollIntoView({ block: 'end' });
  }, [follow, stream.entries]);
  return (
    <Pane
      label="Lines"
      head={
        <>
          <h2 className={css.lines}>Lines</h2>
          <input
            className={css.filter}
            type="search"
            aria-label="Show lines with"
            placeholder="Filter"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <select
            className={css.filter}
            aria-label="Least level"
            value={level}
            onChange={(event) => setLevel(event.currentTarget.value as typeof level)}
          >
            {LEVELS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <IconButton
            label={follow ? 'Stop following' : 'Follow new lines'}
            onClick={() => setFollow(!follow)}
          >
            <ArrowDownToLine size={15} aria-hidden color={follow ? 'var(--accent)' : 'currentColor'} />
          </IconButton>
        </>
      }
    >
      {stream.state === 'lost' && stream.error === undefined && (
        <Problem title="The stream was lost; trying again." />
      )}
      <Said stream={stream} lines={lines} text={wanted} />
      <div ref={end} />
    </Pane>
  );
}
