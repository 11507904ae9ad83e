import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Play } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Problem } from '../../ui/page/page.tsx';
import { Code, Tag } from '../parts/small.tsx';
import { duration } from '../parts/units.ts';
import { send, server, words } from '../server/server.ts';
import type { FunctionInfo } from './function-list.ts';
import css from './functions.module.css';
import { unsignedToken } from './token.ts';

/** Most of an answer shown, in characters. */
const MOST_SHOWN = 20_000;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly micros: number;
}

interface Form {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly uid: string;
}

/** Initial body for a kind of function. */
function firstBody({ kind, trigger }: FunctionInfo): string {
  if (kind === 'callable' || kind === 'task') return '{}';
  if (kind !== 'event' || trigger?.eventType?.includes('pubsub'))
    return kind === 'event' ? '{\n  "data": ""\n}' : '';
  return '';
}

async function call(info: FunctionInfo, form: Form): Promise<Response> {
  const { projectId } = server();
  const region = info.regions[0] ?? server().region;
  const token = form.uid.trim() === '' ? null : unsignedToken(form.uid.trim());
  const address = `/${projectId}/${region}/${info.name}`;
  const headers = { 'Content-Type': 'application/json' };
  if (info.kind === 'callable') {
    const data = JSON.parse(form.body.trim() === '' ? 'null' : form.body) as unknown;
    return send(address, { json: { data }, token, seen: true });
  }
  if (info.kind === 'https') {
    const path = form.path.trim().replace(/^\/?/, '/');
    const body =
      ['GET', 'HEAD'].includes(form.method) || form.body === '' ? {} : { body: form.body, headers };
    return send(address + path, { method: form.method, token, seen: true, ...body });
  }
  if (info.kind === 'task') {
    const body = btoa(
      String.fromCharCode(...new TextEncoder().encode(JSON.stringify({ data: JSON.parse(form.body) }))),
    );
    const queue = `projects/${projectId}/locations/${region}/queues/${info.name}`;
    const task = { task: { httpRequest: { url: '', body, headers } } };
    return send(`/${queue}/tasks`, { json: task, seen: true });
  }
  const body = form.body.trim() === '' ? '{}' : form.body;
  return send(`/functions/projects/${projectId}/triggers/${info.name}`, {
    method: 'POST',
    body,
    headers,
    seen: true,
  });
}

/** Description of the function's input. */
const LEADS: Readonly<Record<FunctionInfo['kind'], string>> = {
  callable: 'Data, as JSON',
  https: 'Body',
  event: 'Event, as JSON',
  schedule: '',
  task: 'Data, as JSON',
  blocking: '',
};

/** Calls one function and shows what it answers. */
export function CallForm({ info }: { info: FunctionInfo }) {
  const [form, setForm] = useState<Form>({ method: 'GET', path: '/', body: firstBody(info), uid: '' });
  const [answer, setAnswer] = useState<Answer>();
  const [error, setError] = useState<string>();
  const [running, setRunning] = useState(false);
  const set = (part: Partial<Form>) => setForm({ ...form, ...part });
  const run = async (event?: FormEvent) => {
    event?.preventDefault();
    setRunning(true);
    setError(undefined);
    const started = performance.now();
    try {
      const response = await call(info, form);
      const text = await response.text();
      setAnswer({ status: response.status, text, micros: Math.round((performance.now() - started) * 1_000) });
    } catch (failed) {
      setAnswer(undefined);
      setError(failed instanceof SyntaxError ? `This is not JSON: ${words(failed)}` : words(failed));
    } finally {
      setRunning(false);
    }
  };
  if (info.kind === 'blocking') {
    return (
      <p className={css.note}>
        It is asked whenever somebody signs in or signs up: do that, and watch its lines below.
      </p>
    );
  }
  const label = LEADS[info.kind];
  const direct = info.kind === 'callable' || info.kind === 'https';
  return (
    <form className={css.form} onSubmit={run} aria-label={`Call ${info.name}`}>
      {info.kind === 'https' && (
        <div className={css.line}>
          <NativeSelect
            size="xs"
            label="Method"
            data={['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']}
            value={form.method}
            onChange={(event) => set({ method: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            label="Path and query"
            value={form.path}
            onChange={(event) => set({ path: event.currentTarget.value })}
          />
        </div>
      )}
      {label !== '' && (info.kind !== 'https' || !['GET', 'HEAD'].includes(form.method)) && (
        <label className={css.body}>
          {label}
          <textarea
            rows={5}
            spellCheck={false}
            value={form.body}
            onChange={(event) => set({ body: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run(event);
            }}
          />
        </label>
      )}
      <div className={css.line}>
        {direct && (
          <TextInput
            size="xs"
            label="As the user with this id"
            placeholder="nobody"
            value={form.uid}
            onChange={(event) => set({ uid: event.currentTarget.value })}
          />
        )}
        <Button size="xs" type="submit" loading={running} leftSection={<Play size={13} aria-hidden />}>
          {info.kind === 'schedule'
            ? 'Run now'
            : info.kind === 'event'
              ? 'Send event'
              : info.kind === 'task'
                ? 'Queue task'
                : 'Call'}
        </Button>
      </div>
      {error !== undefined && <Problem title={error} />}
      {answer && (
        <section aria-label="Answer" className={css.answer}>
          <p role="status">
            <Tag tone={answer.status < 400 ? 'good' : 'bad'}>{answer.status}</Tag> after{' '}
            {duration(answer.micros)}
          </p>
          <Code>{pretty(answer.text) || 'No body.'}</Code>
        </section>
      )}
    </form>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, MOST_SHOWN);
  } catch {
    return text.slice(0, MOST_SHOWN);
  }
}
