import { Button, NativeSelect, TextInput } from '@mantine/core';
import { FlaskConical, ShieldCheck } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Problem } from '../../ui/page.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { parseFields } from '../documents/values.ts';
import { ConsolePage, Pane, Panes, Quiet } from '../parts/panes.tsx';
import { Waiting } from '../parts/rows.tsx';
import { Tag } from '../parts/small.tsx';
import { DenialTrace, type Trace } from '../requests/denial-trace.tsx';
import { ask, database, emulator, server, words } from '../server/server.ts';
import { useAsk } from '../server/use-ask.ts';
import { type LineResult, lineOffsets, type Report, resultsByLine } from './report.ts';
import css from './rules.module.css';

const METHODS = ['get', 'list', 'create', 'update', 'delete'] as const;

type Method = (typeof METHODS)[number];

interface Issue {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly severity: string;
}

/** What came of a trial. */
interface Outcome {
  readonly allowed?: boolean;
  readonly note?: string;
  readonly trace?: Trace | null;
  readonly report?: Report;
  readonly read?: readonly string[];
  readonly issues: readonly Issue[];
}

interface Trial {
  readonly method: Method;
  readonly path: string;
  readonly uid: string;
  readonly claims: string;
  readonly data: string;
  readonly existing: string;
}

/** Rules to begin with where there are none. */
const FIRST_RULES = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /users/{uid}/{document=**} {
      allow read, write: if request.auth.uid == uid;
    }
  }
}
`;

function fields(text: string, what: string) {
  try {
    return parseFields(text, database('(default)').root);
  } catch (error) {
    throw new Error(`${what}: ${words(error)}`);
  }
}

async function attempt(rules: string, trial: Trial): Promise<Outcome> {
  const writes = trial.method === 'create' || trial.method === 'update';
  const auth =
    trial.uid.trim() === ''
      ? {}
      : { auth: { uid: trial.uid.trim(), token: JSON.parse(trial.claims || '{}') as unknown } };
  return ask<Outcome>(emulator('rules/try'), {
    json: {
      rules,
      method: trial.method,
      path: trial.path,
      ...auth,
      ...(writes && { data: fields(trial.data || '{}', 'The document as it would be') }),
      ...(trial.existing.trim() !== '' && { existing: fields(trial.existing, 'The document as it is') }),
    },
  });
}

/** The rules' text with what each line came to beside it. */
function Editor({
  text,
  results,
  issues,
  line,
  onChange,
  onRun,
}: {
  text: string;
  results: ReadonlyMap<number, LineResult>;
  issues: readonly Issue[];
  /** The line to go to, and how often it was asked for. */
  line: { readonly number: number } | undefined;
  onChange: (text: string) => void;
  onRun: () => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = text.split('\n');
  useEffect(() => {
    const [start, end] = (line && lineOffsets(area.current?.value ?? '', line.number)) ?? [];
    if (start === undefined || end === undefined) return;
    area.current?.focus();
    area.current?.setSelectionRange(start, end);
  }, [line]);
  return (
    <div className={css.editor}>
      <ol className={css.gutter} aria-hidden>
        {lines.map((_, i) => {
          const result = results.get(i + 1);
          const issue = issues.find((found) => found.line === i + 1);
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
              key={i}
              data-result={issue ? 'issue' : result?.tone}
              title={issue?.message ?? result?.text}
            >
              {i + 1}
            </li>
          );
        })}
      </ol>
      <textarea
        ref={area}
        aria-label="Rules"
        spellCheck={false}
        rows={lines.length + 1}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            onRun();
          }
        }}
      />
    </div>
  );
}

/** Rules tried out before they are put in force. */
export function Component() {
  const [search] = useSearchParams();
  const inForce = useAsk('rules', () => ask<{ rules: string | null }>(emulator('rules')));
  const [draft, setDraft] = useState<string>();
  const [trial, setTrial] = useState<Trial>(() => ({
    method: METHODS.find((method) => method === search.get('method')) ?? 'get',
    path: search.get('path') ?? '',
    uid: search.get('uid') ?? '',
    claims: '',
    data: '{}',
    existing: '',
  }));
  const [outcome, setOutcome] = useState<Outcome>();
  const [error, setError] = useState<string>();
  const [running, setRunning] = useState(false);
  const [line, setLine] = useState<{ number: number }>();
  const text = draft ?? inForce.data?.rules ?? FIRST_RULES;
  const changed = inForce.data !== undefined && text !== inForce.data.rules;
  const set = (part: Partial<Trial>) => setTrial({ ...trial, ...part });
  const run = async (event?: FormEvent) => {
    event?.preventDefault();
    setRunning(true);
    setError(undefined);
    try {
      setOutcome(await attempt(text, trial));
    } catch (failed) {
      setOutcome(undefined);
      setError(words(failed));
    } finally {
      setRunning(false);
    }
  };
  const apply = async () => {
    const files = [{ name: 'firestore.rules', content: text }];
    try {
      await ask(`/emulator/v1/projects/${server().projectId}:securityRules`, {
        method: 'PUT',
        json: { rules: { files } },
      });
      setDraft(undefined);
      inForce.refresh();
      toasts.show('These rules are in force until the server ends', { type: 'success' });
    } catch (failed) {
      setError(words(failed));
    }
  };
  const writes = trial.method === 'create' || trial.method === 'update';
  const results = resultsByLine(outcome?.report ?? []);
  return (
    <ConsolePage
      title="Rules"
      lead={
        inForce.data?.rules === null
          ? 'No rules are in force: everything is allowed'
          : changed
            ? 'Changed here, not in force'
            : 'In force'
      }
      actions={
        <>
          {inForce.data?.rules != null && (
            <Button
              component="a"
              size="compact-sm"
              variant="default"
              href={`/emulator/v1/projects/${server().projectId}:ruleCoverage.html`}
              target="_blank"
              rel="noreferrer"
            >
              Coverage
            </Button>
          )}
          <Button size="compact-sm" variant="default" disabled={!changed} onClick={() => setDraft(undefined)}>
            Discard
          </Button>
          <Button size="compact-sm" disabled={!changed} onClick={apply}>
            Put in force
          </Button>
        </>
      }
    >
      <Panes columns="minmax(0, 1.5fr) minmax(320px, 1fr)">
        <Pane label="The rules">
          {inForce.error !== undefined && !inForce.data && <Problem title={words(inForce.error)} />}
          {!inForce.data && inForce.error === undefined ? (
            <Waiting />
          ) : (
            <Editor
              text={text}
              results={draft === undefined || outcome ? results : new Map()}
              issues={outcome?.issues ?? []}
              line={line}
              onChange={(next) => {
                setDraft(next);
                setOutcome(undefined);
              }}
              onRun={() => void run()}
            />
          )}
        </Pane>
        <Pane label="Trial" head={<h2>Try a request</h2>} padded>
          <form className={css.form} onSubmit={run} aria-label="Try a request">
            <div className={css.line}>
              <NativeSelect
                size="xs"
                label="Method"
                data={[...METHODS]}
                value={trial.method}
                onChange={(event) => set({ method: event.currentTarget.value as Method })}
              />
              <TextInput
                size="xs"
                label={trial.method === 'list' ? 'Path of the collection' : 'Path of the document'}
                placeholder={trial.method === 'list' ? 'users' : 'users/ann'}
                value={trial.path}
                onChange={(event) => set({ path: event.currentTarget.value })}
              />
            </div>
            <div className={css.line}>
              <TextInput
                size="xs"
                label="User id"
                placeholder="nobody signed in"
                value={trial.uid}
                onChange={(event) => set({ uid: event.currentTarget.value })}
              />
              <TextInput
                size="xs"
                label="Further claims, as JSON"
                placeholder='{"admin": true}'
                disabled={trial.uid.trim() === ''}
                value={trial.claims}
                onChange={(event) => set({ claims: event.currentTarget.value })}
              />
            </div>
            {writes && (
              <label className={css.json}>
                The document as it would be
                <textarea
                  rows={4}
                  spellCheck={false}
                  value={trial.data}
                  onChange={(event) => set({ data: event.currentTarget.value })}
                />
              </label>
            )}
            {trial.method !== 'list' && trial.method !== 'create' && (
              <label className={css.json}>
                The document as it is; empty for the stored one
                <textarea
                  rows={3}
                  spellCheck={false}
                  value={trial.existing}
                  onChange={(event) => set({ existing: event.currentTarget.value })}
                />
              </label>
            )}
            <Button
              size="xs"
              type="submit"
              className={css.run ?? ''}
              loading={running}
              leftSection={<FlaskConical size={14} aria-hidden />}
            >
              Try
            </Button>
          </form>
          {error !== undefined && <Problem title={error} />}
          {outcome ? (
            <Result outcome={outcome} onLine={(number) => setLine({ number })} />
          ) : (
            error === undefined && (
              <Quiet icon={<ShieldCheck size={28} />} title="Would it be allowed?">
                Nothing is read or written for the asker: the answer says which lines decided, and why.
              </Quiet>
            )
          )}
        </Pane>
      </Panes>
    </ConsolePage>
  );
}

function Result({ outcome, onLine }: { outcome: Outcome; onLine: (line: number) => void }) {
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
      {read.length > 0 && <p className={css.read}>Read: {read.map((path) => `${path}`).join(', ')}</p>}
    </section>
  );
}
