import { Button } from '@mantine/core';
import { Hammer } from 'lucide-react';
import { Link, useLocation, useParams } from 'react-router';
import { useSession } from '../../../data/session.ts';
import { EmptyState, Page } from '../../../ui/page.tsx';

interface Action {
  readonly label: string;
  readonly to: string;
}

interface Plan {
  readonly title: string;
  readonly lead: string;
  /** What can be done today in its place. */
  readonly today: string;
  /** Where that is done. */
  readonly actions: (params: Readonly<Record<string, string | undefined>>) => readonly Action[];
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
      'Until then a layout of any size can be printed: choose “Custom” as the card’s size, up to a sheet of A3.',
    actions: () => [LAYOUTS, GUIDE],
  },
  'rulebook-maker': {
    title: 'Rulebook maker',
    lead: 'Pages of text and pictures that use your cards, laid out like them and printed as a booklet.',
    today:
      'Until then reference cards do well: a layout of 120 × 70 mm with the text of one rule per row of a table.',
    actions: ({ deckId }) => [deckId ? { label: 'To the project', to: `/decks/${deckId}` } : PROJECTS, GUIDE],
  },
  playtesting: {
    title: 'Playtesting',
    lead: 'A table on which your components lie, for you and whoever has the link.',
    today:
      'Until then the shortest way to a first game is paper: export the deck, cut it, sleeve it over old cards.',
    actions: () => [PROJECTS, { label: 'How to print at home', to: '/blog/print-and-play-at-home' }],
  },
};

/** A page that says what will be here and what can be done today. */
export function Component() {
  const { pathname } = useLocation();
  const params = useParams();
  const signedIn = useSession() !== null;
  const plan = PLANS[pathname.split('/')[1]?.toLowerCase() ?? ''];
  const [first, ...rest] = plan?.actions(params) ?? [PROJECTS, GUIDE];
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
