import css from './start-failure.module.css';

/** Shown when the server's configuration cannot be had: there is no application without it. */
export function StartFailure({ error }: { error: unknown }) {
  return (
    <main className={css.failure}>
      <h1>The server is not answering</h1>
      <p>
        Tuckbox could not fetch its configuration. Check that the server runs and that you are on line, then
        try again.
      </p>
      <code>{error instanceof Error ? error.message : String(error)}</code>
      <button type="button" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  );
}
