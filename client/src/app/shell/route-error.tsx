import { Button } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { describeError } from '../../data/messages.ts';
import { Page, Problem } from '../../ui/page.tsx';

/** Shown in place of a page that failed; the rest of the application goes on. */
export function RouteError() {
  const error = useRouteError();
  const stale = error instanceof TypeError && /dynamically imported module/.test(error.message);
  return (
    <Page title={stale ? 'There is a new version' : 'This page broke'}>
      <Problem
        title={stale ? 'This tab runs an older version than the server.' : describeError(error)}
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
