import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../../data/session.ts';
import { Page } from '../../../ui/page.tsx';
import css from './pricing.module.css';

const INCLUDED = [
  'Projects, components and cards without a number',
  'Layouts with text, images and shapes bound to columns',
  'PDF export with crop marks, on A4 and Letter',
  'Your data in one folder on the server, yours to copy',
];

/** `/pricing`: a self-hosted server charges nothing. */
export function Component() {
  const signedIn = useSession() !== null;
  return (
    <Page
      title="Pricing"
      lead="This server is self-hosted: whoever runs it pays for the machine, and nobody pays for the cards."
    >
      <section className={css.plan}>
        <h2>Everything</h2>
        <p className={css.price}>
          Free <span>for everyone on this server</span>
        </p>
        <ul>
          {INCLUDED.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <Button component={Link} to={signedIn ? '/decks' : '/signup'} size="md">
          {signedIn ? 'Open your projects' : 'Start your first deck'}
        </Button>
      </section>
    </Page>
  );
}
