import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { getServices, type HostPlan } from '../../../data/firebase.ts';
import { useSession } from '../../../data/session.ts';
import { Page } from '../../../ui/page.tsx';
import css from './pricing.module.css';

/** What a server without plans of its own offers. */
const EVERYTHING: HostPlan = {
  name: 'Everything',
  price: 'Free',
  includes: [
    'As many projects, layouts and cards as the machine holds',
    'CSV import that checks before it writes',
    'Text, pictures and shapes bound to columns',
    'PDF export with crop marks, on A4 and Letter',
    'Your data in one folder on the server, yours to copy',
  ],
};

/** `/pricing`: the operator's plans; a server without any charges nothing. */
export function Component() {
  const signedIn = useSession() !== null;
  const { plans = [], operator, contact } = getServices().host;
  const free = plans.length === 0;
  const shown = free ? [EVERYTHING] : plans;
  return (
    <Page
      title="Pricing"
      lead={
        free
          ? 'This server is self-hosted: whoever runs it pays for the machine, and nobody pays for the cards.'
          : `Plans of ${operator ?? 'this server'}. Payment is arranged with the operator; this application takes no money.`
      }
    >
      <div className={css.plans}>
        {shown.map((plan) => (
          <section key={plan.name} className={css.plan}>
            <h2>{plan.name}</h2>
            <p className={css.price}>
              {plan.price} {free && <span>for everyone on this server</span>}
            </p>
            <ul>
              {plan.includes.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <div className={css.action}>
        <Button component={Link} to={signedIn ? '/decks' : '/signup'} size="md">
          {signedIn ? 'Open your projects' : 'Start your first deck'}
        </Button>
        {!free && contact && <p>Questions about plans: {contact}</p>}
      </div>
    </Page>
  );
}
