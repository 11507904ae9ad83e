import { Button } from '@mantine/core';
import { Check } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import {
  buyPlan,
  limitLines,
  type MyPlan,
  managePlan,
  offeredPlans,
  readMyPlan,
} from '../../../data/account/plans.ts';
import { useSession } from '../../../data/account/session.ts';
import { getServices, type HostPlan } from '../../../data/server/firebase.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Page, Problem } from '../../../ui/page/page.tsx';
import css from './pricing.module.css';

/** Offer of a server without plans of its own. */
const EVERYTHING: HostPlan = {
  id: 'everything',
  name: 'Everything',
  price: 'Free',
  includes: [
    'As many projects, layouts and cards as the machine holds',
    'CSV import that checks before it writes',
    'Text, pictures and shapes bound to columns',
    'PDF with crop marks, pictures, virtual tables and printing houses',
    'Your data in one folder on the server, yours to copy',
  ],
  limits: {},
  sold: false,
};

/** Button of a plan, depending on the signed-in user. */
function PlanAction({
  plan,
  mine,
  busy,
  onLeave,
}: {
  plan: HostPlan;
  mine: MyPlan;
  /** The id of the plan that is being left for. */
  busy: string | undefined;
  onLeave: (plan: string, work: () => Promise<void>) => void;
}) {
  if (mine.plan === plan.id) {
    return (
      <p className={css.yours}>
        <Check size={17} aria-hidden /> Your plan
      </p>
    );
  }
  if (mine.paid && mine.manageable && plan.sold) {
    return (
      <Button
        variant="default"
        loading={busy === plan.id}
        disabled={busy !== undefined}
        onClick={() => onLeave(plan.id, managePlan)}
      >
        Change to {plan.name}
      </Button>
    );
  }
  if (!plan.sold) return null;
  return (
    <Button
      loading={busy === plan.id}
      disabled={busy !== undefined}
      onClick={() => onLeave(plan.id, () => buyPlan(plan.id))}
    >
      Choose {plan.name}
    </Button>
  );
}

/** `/pricing`: the operator's plans; a server without any charges nothing. */
export function Component() {
  const signedIn = useSession() !== null;
  const { operator, contact } = getServices().host;
  const plans = offeredPlans();
  const free = plans.length === 0;
  const sold = plans.some((plan) => plan.sold);
  const [mine, setMine] = useState<MyPlan>();
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (!signedIn || free) return;
    let gone = false;
    readMyPlan(null).then(
      (plan) => !gone && setMine(plan),
      (error: unknown) => !gone && setFailure(describeError(error)),
    );
    return () => {
      gone = true;
    };
  }, [signedIn, free]);
  const leave = async (plan: string, work: () => Promise<void>) => {
    setBusy(plan);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(describeError(error));
      setBusy(undefined);
    }
  };
  const lead = () => {
    if (free) {
      return 'This server is self-hosted: whoever runs it pays for the machine, and nobody pays for the cards.';
    }
    const whose = `Plans of ${operator ?? 'this server'}.`;
    return sold
      ? `${whose} You pay at the operator’s payment service; this application never sees your card.`
      : `${whose} They are arranged with the operator; this application takes no money.`;
  };
  return (
    <Page title="Pricing" lead={lead()}>
      {failure && <Problem title={failure} />}
      <div className={css.plans}>
        {(free ? [EVERYTHING] : plans).map((plan) => (
          <section key={plan.id} className={css.plan} aria-label={plan.name}>
            <h2>{plan.name}</h2>
            <p className={css.price}>
              {plan.price} {free && <span>for everyone on this server</span>}
            </p>
            <ul>
              {[...limitLines(plan.limits), ...plan.includes].map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            {mine && (
              <PlanAction plan={plan} mine={mine} busy={busy} onLeave={(id, work) => void leave(id, work)} />
            )}
          </section>
        ))}
      </div>
      <div className={css.action}>
        <Button
          component={Link}
          to={signedIn ? '/decks' : '/signup'}
          size="md"
          variant={mine ? 'default' : 'filled'}
        >
          {signedIn ? 'Open your projects' : 'Start your first deck'}
        </Button>
        {!free && contact && <p>Questions about plans: {contact}</p>}
      </div>
    </Page>
  );
}
