import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { describeError } from '../../data/server/messages.ts';
import { Page, Problem } from '../../ui/page/page.tsx';

/** Interval between retries of an unreachable server, in milliseconds. */
const RETRY_MS = 3_000;

/**
 * True if the server answers; undefined until known. Only then does a chunk that fails to load belong to an older
 * version. When the server answers again, the page reloads.
 */
function useReachable(wanted: boolean): boolean | undefined {
  const [reachable, setReachable] = useState<boolean>();
  useEffect(() => {
    if (!wanted) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasAway = false;
    const end = new AbortController();
    const ask = async () => {
      const answer = await fetch('/', { method: 'HEAD', cache: 'no-store', signal: end.signal }).catch(
        () => undefined,
      );
      if (end.signal.aborted) return;
      // A proxy answers for a server that is away.
      const there = answer !== undefined && answer.status < 500;
      if (there && wasAway) location.reload();
      setReachable(there);
      if (there) return;
      wasAway = true;
      timer = setTimeout(() => void ask(), RETRY_MS);
    };
    void ask();
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [wanted]);
  return reachable;
}

/** Addresses that are no page are rare. */
const NoPage = lazy(async () => ({ default: (await import('../pages/not-found.tsx')).Component }));

/** Shown in place of a page that failed; the rest of the application goes on. */
export function RouteError() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error)) return <Failure error={error} />;
  return (
    <Suspense fallback={null}>
      <NoPage />
    </Suspense>
  );
}

function Failure({ error }: { error: unknown }) {
  const missing =
    error instanceof TypeError &&
    /dynamically imported module|Importing a module script failed/.test(error.message);
  const reachable = useReachable(missing);
  const { title, words } = !missing
    ? { title: 'This page broke', words: describeError(error) }
    : reachable === undefined
      ? { title: 'This page could not be loaded', words: 'A part of the application is missing.' }
      : reachable
        ? { title: 'There is a new version', words: 'This tab runs an older version than the server.' }
        : {
            title: 'No connection to the server',
            words: 'The page is loaded as soon as the server answers.',
          };
  return (
    <Page title={title}>
      <Problem
        title={words}
        action={
          <Button size="xs" onClick={() => location.reload()}>
            Load the page again
          </Button>
        }
      >
        <p>
          What was saved is safe. You can also go <Link to="/">home</Link>.
        </p>
      </Problem>
    </Page>
  );
}
