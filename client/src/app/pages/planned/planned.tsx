import { Button } from '@mantine/core';
import { Hammer } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useSession } from '../../../data/session.ts';
import { EmptyState, Page } from '../../../ui/page.tsx';

interface Action {
  readonly label: string;
  readonly to: string;
}

interface Plan {
  readonly title: string;
  readonly lead: string;
  /** Current alternative. */
  readonly today: string;
  /** Links to that alternative. */
  readonly actions: readonly Action[];
}

const PROJECTS: Action = { label: 'To your projects', to: '/decks' };
const LAYOUTS: Action = { label: 'To your layouts', to: '/layouts' };
const GUIDE: Action = { label: 'Read the guide', to: '/docs' };

/** Areas whose insides are not built yet, by the first part of their address. */
const PLANS: Readonly<Record<string, Plan>> = {
  boards: {
    title: 'Board maker',
    lead: 'Square, hex and free boards, from the same zones as cards.',
    today:
      'Until then add a component of the kind Boards to a project: six sizes, from 5 in square to 18 in folded twice, drawn in the layout editor and exported like cards.',
    actions: [PROJECTS, LAYOUTS, GUIDE],
  },
};

/** A page that says what will be here and what can be done today. */
export function Component() {
  const { pathname } = useLocation();
  const signedIn = useSession() !== null;
  const plan = PLANS[pathname.split('/')[1]?.toLowerCase() ?? ''];
  const [first, ...rest] = plan?.actions ?? [PROJECTS, GUIDE];
  return (
    <Page title={plan?.title ?? 'Not built yet'} lead={plan?.lead}>
      <EmptyState
        icon={<Hammer size={26} />}
        title="Not built yet"
        action={
          <>
            {first && (
              <Button component={Link} to={signedIn ? first.to : '/signup'}>
                {signedIn ? first.label : 'Start your first deck'}
              </Button>
            )}
            {rest.map(({ label, to }) => (
              <Button key={to} component={Link} to={to} variant="default">
                {label}
              </Button>
            ))}
          </>
        }
      >
        {plan?.today}
      </EmptyState>
    </Page>
  );
}
