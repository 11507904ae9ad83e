import { Button } from '@mantine/core';
import { Compass } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useSession } from '../../data/account/session.ts';
import { EmptyState, Page } from '../../ui/page/page.tsx';

/** Any address that is no page. */
export function Component() {
  const { pathname } = useLocation();
  const signedIn = useSession() !== null;
  return (
    <Page title="No such page">
      <EmptyState
        icon={<Compass size={26} />}
        title={`There is nothing at ${pathname}`}
        action={
          <>
            <Button component={Link} to={signedIn ? '/decks' : '/'}>
              {signedIn ? 'To your projects' : 'Home'}
            </Button>
            {signedIn && (
              <Button component={Link} to="/layouts" variant="default">
                To your layouts
              </Button>
            )}
          </>
        }
      >
        The link may be old, or a letter may be missing. Your work is where you left it.
      </EmptyState>
    </Page>
  );
}
