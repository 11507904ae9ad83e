import { Button } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { Link } from 'react-router';
import { EmptyState, Page } from '../../ui/page/page.tsx';

/** In the trial, in place of pages that need the server. */
export function Component() {
  return (
    <Page title="Only with an account">
      <EmptyState
        icon={<UserPlus size={26} />}
        title="This page needs an account"
        action={
          <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 10, justifyContent: 'center' }}>
            <Button component={Link} to="/signup">
              Sign up and keep the game
            </Button>
            <Button component={Link} to="/" variant="default">
              Back to the game
            </Button>
          </span>
        }
      >
        Pictures of your own, people to work with, tables to play at and earlier versions lie on the server.
        What you have made here comes along.
      </EmptyState>
    </Page>
  );
}
