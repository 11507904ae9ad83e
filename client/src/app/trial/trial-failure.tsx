import { useState } from 'react';
import { TRIAL_BASE } from '../../data/trial/place.ts';
import { endTrial, UnreadableTrial } from '../../data/trial/trial.ts';
import css from '../start-failure.module.css';

/** Shown when the trial cannot begin: most often because the browser keeps nothing. */
export function TrialFailure({ error }: { error: unknown }) {
  return (
    <main className={css.failure}>
      <h1>The game cannot be opened here</h1>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <p>
        Without an account the game is kept in your browser. With one it is kept on the server:{' '}
        <a href="/signup">sign up</a>, or go <a href="/">back to the first page</a>.
      </p>
      <button type="button" onClick={() => location.reload()}>
        Try again
      </button>
      {error instanceof UnreadableTrial && <StartOver />}
    </main>
  );
}

/** Deletes the game for good, once that was said twice. */
function StartOver() {
  const [asked, setAsked] = useState(false);
  const [failure, setFailure] = useState<string>();
  const erase = () =>
    endTrial().then(
      () => location.assign(TRIAL_BASE),
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    );
  if (!asked)
    return (
      <button type="button" onClick={() => setAsked(true)}>
        Delete it and start over …
      </button>
    );
  return (
    <>
      <p role="alert">
        {failure ?? 'The game in this browser is deleted for good, with all that you have changed in it.'}
      </p>
      <button type="button" onClick={() => void erase()}>
        Delete it for good
      </button>
      <button type="button" onClick={() => setAsked(false)}>
        Keep it
      </button>
    </>
  );
}
