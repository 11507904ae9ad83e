import { Button, SegmentedControl } from '@mantine/core';
import { ShieldCheck } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Problem } from '../../ui/page/page.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { ConsolePage, Pane, Panes, Quiet } from '../parts/panes.tsx';
import { Waiting } from '../parts/rows.tsx';
import { ask, emulator, server, words } from '../server/server.ts';
import { useAsk } from '../server/use-ask.ts';
import { Editor } from './editor.tsx';
import { resultsByLine } from './report.ts';
import { Result } from './result.tsx';
import { attempt, type Guarded, KINDS, METHODS, type Outcome, type Trial } from './trial.ts';
import { TrialForm } from './trial-form.tsx';

/** A kind of rules: what was typed, and the trials of it. */
interface Draft {
  readonly text: string | undefined;
  readonly trial: Trial;
}

const FIRST_FILE = `{
  "contentType": "image/png",
  "size": 1024,
  "metadata": {}
}`;

/** Rules tried out before they are put in force. */
export function Component() {
  const [search, setSearch] = useSearchParams();
  const guarded: Guarded = search.get('of') === 'files' ? 'storage' : 'firestore';
  const [drafts, setDrafts] = useState<Record<Guarded, Draft>>(() => {
    const asked = (mine: Guarded): Draft => {
      const get = (name: string) => (mine === guarded ? search.get(name) : null);
      const trial = {
        method: METHODS.find((method) => method === get('method')) ?? 'get',
        path: get('path') ?? '',
        uid: get('uid') ?? '',
        claims: '',
        data: mine === 'storage' ? FIRST_FILE : '{}',
        existing: '',
      };
      return { text: undefined, trial };
    };
    return { firestore: asked('firestore'), storage: asked('storage') };
  });
  const draft = drafts[guarded];
  return (
    <Playground
      key={guarded}
      guarded={guarded}
      draft={draft}
      choice={
        <SegmentedControl
          size="xs"
          aria-label="Rules for"
          data={[
            { value: 'documents', label: 'Documents' },
            { value: 'files', label: 'Files' },
          ]}
          value={guarded === 'storage' ? 'files' : 'documents'}
          onChange={(of) => setSearch(of === 'files' ? { of } : {}, { replace: true })}
        />
      }
      onDraft={(part) => setDrafts((old) => ({ ...old, [guarded]: { ...old[guarded], ...part } }))}
    />
  );
}

function Playground({
  guarded,
  draft,
  choice,
  onDraft,
}: {
  guarded: Guarded;
  draft: Draft;
  choice: ReactNode;
  onDraft: (part: Partial<Draft>) => void;
}) {
  const address = emulator(`rules?service=${guarded}`);
  const inForce = useAsk(address, () => ask<{ rules: string | null }>(address));
  const [outcome, setOutcome] = useState<Outcome>();
  const [error, setError] = useState<string>();
  const [running, setRunning] = useState(false);
  const [line, setLine] = useState<{ number: number }>();
  const { trial } = draft;
  const text = draft.text ?? inForce.data?.rules ?? KINDS[guarded].first;
  const changed = inForce.data !== undefined && text !== inForce.data.rules;
  const run = async (event?: FormEvent) => {
    event?.preventDefault();
    setRunning(true);
    setError(undefined);
    try {
      setOutcome(await attempt(guarded, text, trial));
    } catch (failed) {
      setOutcome(undefined);
      setError(words(failed));
    } finally {
      setRunning(false);
    }
  };
  const apply = async () => {
    setError(undefined);
    try {
      await ask(address, { method: 'PUT', json: { rules: text } });
      onDraft({ text: undefined });
      inForce.refresh();
      toasts.show('These rules are in force until the server ends', { type: 'success' });
    } catch (failed) {
      setError(words(failed));
    }
  };
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
          {choice}
          {guarded === 'firestore' && inForce.data?.rules != null && (
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
          <Button
            size="compact-sm"
            variant="default"
            disabled={!changed}
            onClick={() => onDraft({ text: undefined })}
          >
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
              results={draft.text === undefined || outcome ? results : new Map()}
              issues={outcome?.issues ?? []}
              line={line}
              onChange={(next) => {
                onDraft({ text: next });
                setOutcome(undefined);
              }}
              onRun={() => void run()}
            />
          )}
        </Pane>
        <Pane label="Trial" head={<h2>Try a request</h2>} padded>
          <TrialForm
            guarded={guarded}
            trial={trial}
            running={running}
            onChange={(part) => onDraft({ trial: { ...trial, ...part } })}
            onRun={run}
          />
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
