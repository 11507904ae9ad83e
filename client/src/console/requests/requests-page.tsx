import { Button, SegmentedControl } from '@mantine/core';
import { FlaskConical, ListOrdered, Pause, Play } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { Problem } from '../../ui/page/page.tsx';
import { ConsolePage, Pane, Panes, Quiet } from '../parts/panes.tsx';
import { type Column, Rows } from '../parts/rows.tsx';
import { Code, Facts, Tag } from '../parts/small.tsx';
import { bytes, duration, when } from '../parts/units.ts';
import { emulator, server } from '../server/server.ts';
import { useEvents } from '../server/use-events.ts';
import { DenialTrace } from './denial-trace.tsx';
import {
  AREAS,
  areaOf,
  type DenialRow,
  isBad,
  type LogRow,
  type RequestRow,
  rowsOf,
  shortPath,
} from './request-log.ts';
import css from './requests.module.css';

function statusTag(row: LogRow) {
  if (row.kind === 'denial') return <Tag tone="bad">denied</Tag>;
  if (row.open) return <Tag tone="good">{row.status} open</Tag>;
  const text = row.grpc && row.grpc.status !== '0' ? `gRPC ${row.grpc.status}` : String(row.status);
  return <Tag tone={isBad(row) ? 'bad' : 'good'}>{text}</Tag>;
}

const COLUMNS: readonly Column<LogRow>[] = [
  { name: 'Time', width: 98, cell: ({ time }) => when(time) },
  { name: 'Status', width: 76, cell: statusTag },
  { name: 'Method', width: 84, cell: (row) => (row.kind === 'denial' ? row.trace.method : row.method) },
  {
    name: 'Path',
    code: true,
    cell: (row) => shortPath(row.kind === 'denial' ? row.trace.path : row.path, server().projectId),
  },
  { name: 'Who', width: 76, cell: (row) => (row.kind === 'denial' ? (row.uid ?? 'nobody') : row.caller) },
  {
    name: 'Took',
    width: 80,
    align: 'right',
    cell: (row) => (row.kind === 'denial' ? '' : duration(row.endMicros ?? row.micros)),
  },
];

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function RequestDetails({ row }: { row: RequestRow }) {
  return (
    <div className={css.details}>
      <Facts
        facts={[
          ['Request', <code key="path">{`${row.method} ${row.path}`}</code>],
          ['Status', statusTag(row)],
          ['At', when(row.time)],
          ['Answer began', `after ${duration(row.micros)}`],
          ...(row.endMicros === undefined
            ? []
            : [['Answer ended', `after ${duration(row.endMicros)}`] as const]),
          ['Size', row.bytes === undefined ? 'not known yet' : bytes(row.bytes)],
          [
            'Who',
            row.caller === 'owner' ? 'the owner' : row.caller === 'user' ? 'somebody signed in' : 'nobody',
          ],
          ['Port', row.port],
          ['From', row.peer],
          ...(row.agent === null ? [] : [['Program', row.agent] as const]),
        ]}
      />
      {row.grpc && row.grpc.message !== '' && <Code>{row.grpc.message}</Code>}
      {row.reason !== undefined && <Code>{pretty(row.reason)}</Code>}
    </div>
  );
}

function DenialDetails({ row }: { row: DenialRow }) {
  const navigate = useNavigate();
  const ofFile = row.bucket !== undefined;
  const path = row.trace.path.split(ofFile ? '/o/' : '/documents/')[1] ?? row.trace.path;
  const attempt = new URLSearchParams({ method: row.trace.method, path, uid: row.uid ?? '' });
  if (ofFile) attempt.set('of', 'files');
  return (
    <div className={css.details}>
      <Facts
        facts={[
          ['Asked', <code key="path">{`${row.trace.method} ${row.trace.path}`}</code>],
          ['Who', row.uid ?? 'nobody signed in'],
          ofFile ? ['Bucket', row.bucket] : ['Database', row.database],
        ]}
      />
      <Button
        size="compact-sm"
        variant="default"
        className={css.try ?? ''}
        leftSection={<FlaskConical size={14} aria-hidden />}
        onClick={() => void navigate(`/rules?${attempt}`)}
      >
        Try it with other rules
      </Button>
      <DenialTrace trace={row.trace} />
    </div>
  );
}

/** Requests as they are answered, and what the rules deny. */
export function Component() {
  const stream = useEvents(emulator('requests'), 'request end denial');
  const [text, setText] = useState('');
  const [area, setArea] = useState('all');
  const [paused, setPaused] = useState<readonly LogRow[]>();
  const [key, setKey] = useState<string>();
  const { projectId } = server();
  const all = useMemo(() => rowsOf(stream.entries), [stream.entries]);
  const wanted = text.trim().toLowerCase();
  const rows = (paused ?? all).filter((row) => {
    if (area === 'failed' ? !isBad(row) : area !== 'all' && areaOf(row, projectId) !== area) return false;
    const line = row.kind === 'denial' ? row.trace.path : `${row.method} ${row.path} ${row.status}`;
    return wanted === '' || line.toLowerCase().includes(wanted);
  });
  const chosen = (paused ?? all).find((row) => row.key === key);
  return (
    <ConsolePage
      title="Requests"
      actions={
        <>
          <input
            className={css.filter}
            type="search"
            data-filter
            aria-label="Show requests with"
            placeholder="Filter"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <SegmentedControl
            size="xs"
            aria-label="Which requests"
            data={['all', 'failed', ...AREAS]}
            value={area}
            onChange={setArea}
          />
          <Button
            size="compact-sm"
            variant="default"
            leftSection={paused ? <Play size={13} aria-hidden /> : <Pause size={13} aria-hidden />}
            onClick={() => setPaused(paused ? undefined : all)}
          >
            {paused ? 'Go on' : 'Pause'}
          </Button>
        </>
      }
    >
      {stream.error !== undefined && <Problem title={stream.error} />}
      <Panes columns={chosen ? 'minmax(0, 2fr) minmax(260px, 1fr)' : 'minmax(0, 1fr)'}>
        <Pane
          label="Requests"
          foot={
            stream.state === 'open' && (
              <span>Live; what the console asks and the built-in files are left out</span>
            )
          }
        >
          {rows.length === 0 && stream.state !== 'opening' ? (
            <Quiet
              icon={<ListOrdered size={30} />}
              title={all.length === 0 ? 'No requests yet' : 'None like that'}
            >
              {all.length === 0
                ? 'Every request that programs make of this server appears here, with how long it took.'
                : 'Change the filter to see others.'}
            </Quiet>
          ) : (
            <Rows
              label="Requests"
              columns={COLUMNS}
              rows={stream.state === 'opening' && all.length === 0 ? undefined : rows}
              keyOf={(row) => row.key}
              chosen={key}
              onChoose={(row) => setKey(row.key)}
              tone={(row) => (isBad(row) ? 'bad' : undefined)}
            />
          )}
        </Pane>
        {chosen && (
          <Pane
            label="Request"
            head={<h2>{chosen.kind === 'denial' ? 'Denied by the rules' : 'Request'}</h2>}
          >
            {chosen.kind === 'denial' ? <DenialDetails row={chosen} /> : <RequestDetails row={chosen} />}
          </Pane>
        )}
      </Panes>
    </ConsolePage>
  );
}
