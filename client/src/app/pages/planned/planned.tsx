import { Button } from '@mantine/core';
import { Hammer } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useSession } from '../../../data/session.ts';
import { EmptyState, Page } from '../../../ui/page.tsx';

interface Plan {
  readonly title: string;
  readonly lead: string;
  /** What can be done today in its place. */
  readonly today: string;
}

/** Areas whose insides are not built yet, by the first part of their address. */
const PLANS: Readonly<Record<string, Plan>> = {
  images: {
    title: 'Images',
    lead: 'A library of your pictures in folders, to use on cards by name.',
    today: 'Until then an image zone takes the web address of a picture, from a column or its own.',
  },
  boards: {
    title: 'Board maker',
    lead: 'Square, hex and free boards, from the same zones as cards.',
    today: 'Until then a layout of any size can be printed: choose “Custom” as the card’s size.',
  },
  blog: {
    title: 'Blog',
    lead: 'Notes on designing, printing and testing games.',
    today: 'Until then the guide says how to get from a table to a printed deck.',
  },
};

/** A page that says what will be here and what can be done today. */
export function Component() {
  const { pathname } = useLocation();
  const signedIn = useSession() !== null;
  const plan = PLANS[pathname.split('/')[1]?.toLowerCase() ?? ''];
  return (
    <Page title={plan?.title ?? 'Not built yet'} lead={plan?.lead}>
      <EmptyState
        icon={<Hammer size={26} />}
        title="Not built yet"
        action={
          <>
            <Button component={Link} to={signedIn ? '/decks' : '/signup'}>
              {signedIn ? 'To your projects' : 'Start your first deck'}
            </Button>
            <Button component={Link} to="/docs" variant="default">
              Read the guide
            </Button>
          </>
        }
      >
        {plan?.today}
      </EmptyState>
    </Page>
  );
}
