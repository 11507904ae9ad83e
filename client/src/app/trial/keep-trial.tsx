import { Button } from '@mantine/core';
import { CloudUpload } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ProjectProgress } from '../../data/project/transfer/read-project.ts';
import { describeError } from '../../data/server/messages.ts';
import { TRIAL_BASE } from '../../data/trial/place.ts';
import { keepTrial, NoTrial } from '../../data/trial/trial.ts';
import { EmptyState, Page, Problem } from '../../ui/page/page.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { toasts } from '../../ui/toasts/engine.ts';

type State =
  | { readonly at: 'working'; readonly progress?: ProjectProgress }
  | { readonly at: 'failed'; readonly why: string }
  | { readonly at: 'none' };

/** `/try/keep`: writes the game of the trial into the account, and opens it there. */
export function Component() {
  const navigate = useNavigate();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<State>({ at: 'working' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins it again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setState({ at: 'working' });
    keepTrial({
      signal,
      onProgress: (progress) => !signal.aborted && setState({ at: 'working', progress }),
    }).then(
      (project) => {
        if (signal.aborted) return;
        toasts.show('Your game is in your account.', { type: 'success' });
        void navigate(`/decks/${project}`, { replace: true });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        setState(error instanceof NoTrial ? { at: 'none' } : { at: 'failed', why: describeError(error) });
      },
    );
    return () => controller.abort();
  }, [attempt, navigate]);
  const { at } = state;
  return (
    <Page title="Keep your game">
      {at === 'working' && <Working progress={state.progress} />}
      {at === 'failed' && (
        <>
          <Problem title={state.why}>
            The game is still in this browser, as you left it. Nothing of it was lost.
          </Problem>
          <p style={{ display: 'flex', gap: 10 }}>
            <Button onClick={() => setAttempt(attempt + 1)}>Try again</Button>
            <Button component="a" href={TRIAL_BASE} variant="default">
              Back to the game
            </Button>
          </p>
        </>
      )}
      {at === 'none' && (
        <EmptyState
          icon={<CloudUpload size={26} />}
          title="There is no game in this browser"
          action={
            <Button component={Link} to="/decks">
              To your projects
            </Button>
          }
        >
          What you try without an account lies in the browser that you try it in. If that was another one, or
          a private window, open this page there.
        </EmptyState>
      )}
    </Page>
  );
}

function Working({ progress }: { progress: ProjectProgress | undefined }) {
  const share = progress?.total ? Math.round((100 * progress.done) / progress.total) : 0;
  return (
    <div style={{ display: 'grid', gap: 10, maxWidth: 480 }}>
      <ProgressBar label="Writing the game into your account" done={share} total={100} />
      <p role="status">{progress?.what ?? 'Looking for your game'}…</p>
    </div>
  );
}
