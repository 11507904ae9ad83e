import { useEffect, useState } from 'react';
import { Problem } from '../../ui/page/page.tsx';
import { ConsolePage, Pane, Panes } from '../parts/panes.tsx';
import { Waiting } from '../parts/rows.tsx';
import { duration } from '../parts/units.ts';
import { RequestFailed, send, words } from '../server/server.ts';
import css from './metrics.module.css';
import { parseMetrics, quantile, type Sample, total } from './samples.ts';

/** Interval between readings, in milliseconds. */
const EVERY_MS = 2_000;
/** Readings drawn: five minutes. */
const MOST = 150;

interface Reading {
  readonly time: number;
  readonly samples: readonly Sample[];
}

/** One graph: each point is the difference between two readings. */
interface Series {
  readonly name: string;
  readonly points: readonly (number | undefined)[];
  readonly show: (value: number) => string;
}

async function read(): Promise<Reading> {
  const response = await send('/metrics');
  if (!response.ok) {
    throw new RequestFailed('Metrics are shown on the computer that the server runs on.', response.status);
  }
  return { time: performance.now(), samples: parseMetrics(await response.text()) };
}

function useReadings(): { readings: readonly Reading[]; error: unknown } {
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let over = false;
    const look = () =>
      read().then(
        (reading) => {
          if (over) return;
          setReadings((old) => [...old, reading].slice(-MOST));
          setError(undefined);
        },
        (failed: unknown) => {
          if (!over) setError(failed);
        },
      );
    void look();
    const timer = setInterval(look, EVERY_MS);
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, []);
  return { readings, error };
}

const whole = (value: number) => String(Math.round(value));
const rate = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} a second`;
const time = (value: number) => duration(Math.round(value * 1e6));

function seriesOf(readings: readonly Reading[]): Series[] {
  const between = (value: (before: Reading, after: Reading) => number | undefined) =>
    readings.slice(1).map((after, i) => value(readings[i] ?? after, after));
  const perSecond = (name: string, labels = {}) =>
    between((before, after) => {
      const seconds = (after.time - before.time) / 1_000;
      return Math.max(total(after.samples, name, labels) - total(before.samples, name, labels), 0) / seconds;
    });
  const now = (name: string) => between((_, after) => total(after.samples, name));
  const took = (part: number) =>
    between((before, after) =>
      quantile(before.samples, after.samples, 'tuckbox_response_time_seconds', part),
    );
  const errors = ['4xx', '5xx'].map((status) => perSecond('tuckbox_requests_total', { status }));
  const failed = (errors[0] ?? []).map((value, i) => (value ?? 0) + (errors[1]?.[i] ?? 0));
  return [
    { name: 'Requests', points: perSecond('tuckbox_requests_total'), show: rate },
    { name: 'Refused or failed', points: failed, show: rate },
    { name: 'Half are answered within', points: took(0.5), show: time },
    { name: '99 of 100 are answered within', points: took(0.99), show: time },
    { name: 'Connections', points: now('tuckbox_connections'), show: whole },
    { name: 'Requests under way', points: now('tuckbox_requests_in_flight'), show: whole },
    { name: 'Events delivered', points: perSecond('tuckbox_events_delivered_total'), show: rate },
    { name: 'Events waiting', points: now('tuckbox_events_waiting'), show: whole },
    { name: 'Events given up', points: now('tuckbox_events_dead_letters'), show: whole },
  ];
}

const WIDTH = 300;
const HEIGHT = 56;

function lineOf(points: readonly (number | undefined)[]): string {
  const known = points.filter((point) => point !== undefined);
  const most = Math.max(...known, 1e-9);
  let pen = 'M';
  return points
    .map((point, i) => {
      if (point === undefined) {
        pen = 'M';
        return '';
      }
      const x = WIDTH - (points.length - 1 - i) * (WIDTH / (MOST - 1));
      const step = `${pen}${x.toFixed(1)} ${(HEIGHT - 2 - (point / most) * (HEIGHT - 6)).toFixed(1)}`;
      pen = 'L';
      return step;
    })
    .join('');
}

function Chart({ series: { name, points, show } }: { series: Series }) {
  const known = points.filter((point) => point !== undefined);
  const now = points.at(-1);
  return (
    <figure className={css.chart}>
      <figcaption>{name}</figcaption>
      <p>{now === undefined ? '–' : show(now)}</p>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        <path d={lineOf(points)} />
      </svg>
      <span>{known.length > 0 ? `most: ${show(Math.max(...known))}` : 'nothing yet'}</span>
    </figure>
  );
}

/** The server's numbers over the last minutes. */
export function Component() {
  const { readings, error } = useReadings();
  return (
    <ConsolePage title="Metrics" lead="While this page is open; the console's own requests count, too">
      <Panes columns="minmax(0, 1fr)">
        <Pane label="Numbers" padded>
          {error !== undefined && <Problem title={words(error)} />}
          {readings.length < 2 && error === undefined ? (
            <Waiting />
          ) : (
            <div className={css.charts}>
              {seriesOf(readings).map((series) => (
                <Chart key={series.name} series={series} />
              ))}
            </div>
          )}
        </Pane>
      </Panes>
    </ConsolePage>
  );
}
