import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type MyPlan, managePlan, offeredPlans, readMyPlan, sizeWords } from '../../../data/account/plans.ts';
import type { HostPlan } from '../../../data/server/firebase.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Loading, Problem } from '../../../ui/page/page.tsx';
import css from './account.module.css';

/** Interval between queries for the plan after a payment, in milliseconds: the server is notified, this page is not. */
const ASK_AGAIN_MS = 2_000;
/** Most such queries. */
const MAX_QUESTIONS = 30;

/** Of one thing: how much there is, and how much there may be. */
function Meter({
  name,
  held,
  limit,
  words,
}: {
  name: string;
  held: number;
  limit: number | undefined;
  words: (n: number) => string;
}) {
  return (
    <div className={css.meter}>
      <dt>{name}</dt>
      <dd>
        {words(held)}
        {limit !== undefined && ` of ${words(limit)}`}
        {limit !== undefined && (
          <meter
            min={0}
            max={Math.max(limit, 1)}
            high={0.9 * limit}
            value={Math.min(held, limit)}
            aria-label={name}
          />
        )}
      </dd>
    </div>
  );
}

const plain = (n: number) => n.toLocaleString();

function Held({ plan, mine }: { plan: HostPlan; mine: MyPlan }) {
  const { projects, layouts, images, storageBytes, documentBytes } = plan.limits;
  return (
    <dl className={css.meters}>
      <Meter name="Projects" held={mine.projects} limit={projects} words={plain} />
      <Meter name="Layouts" held={mine.layouts} limit={layouts} words={plain} />
      <Meter name="Pictures" held={mine.images} limit={images} words={plain} />
      <Meter name="Files" held={mine.storageBytes} limit={storageBytes} words={sizeWords} />
      {mine.documentBytes !== null && (
        <Meter name="Documents" held={mine.documentBytes} limit={documentBytes} words={sizeWords} />
      )}
    </dl>
  );
}

/** The plan, on servers that have some. After a payment it waits for the server to hear of it. */
export function PlanSheet() {
  const plans = offeredPlans();
  const none = plans.length === 0;
  const [search] = useSearchParams();
  const justPaid = search.get('paid') === '1';
  const [mine, setMine] = useState<MyPlan>();
  const [asked, setAsked] = useState(0);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const waiting = justPaid && mine?.paid === false && asked < MAX_QUESTIONS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every question is asked once
  useEffect(() => {
    if (none) return;
    let gone = false;
    readMyPlan(null).then(
      (plan) => !gone && setMine(plan),
      (error: unknown) => !gone && setFailure(describeError(error)),
    );
    return () => {
      gone = true;
    };
  }, [none, asked]);
  useEffect(() => {
    if (!waiting) return;
    const id = setTimeout(() => setAsked(asked + 1), ASK_AGAIN_MS);
    return () => clearTimeout(id);
  }, [waiting, asked]);
  if (none) return null;
  const plan = plans.find(({ id }) => id === mine?.plan);
  const manage = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await managePlan();
    } catch (error) {
      setFailure(describeError(error));
      setBusy(false);
    }
  };
  return (
    <section className={css.sheet} aria-label="Plan">
      <h2>Plan</h2>
      {failure && <Problem title={failure} />}
      {!mine && !failure && <Loading label="Loading your plan" />}
      {mine && plan && (
        <>
          <div className={css.row}>
            <div className={css.grow}>
              <strong>{plan.name}</strong>
              <p>{plan.price}</p>
              <p role="status" className={css.label}>
                {waiting && 'Waiting for the payment service to confirm. This takes a few seconds.'}
                {justPaid && mine.paid && 'Thank you: your payment has arrived.'}
                {justPaid &&
                  !mine.paid &&
                  !waiting &&
                  'The payment has not been confirmed yet. Look again in a few minutes.'}
              </p>
            </div>
            {mine.manageable ? (
              <Button variant="default" loading={busy} onClick={() => void manage()}>
                Manage plan
              </Button>
            ) : (
              <Button component={Link} to="/pricing" variant="default">
                See plans
              </Button>
            )}
          </div>
          <div className={css.row}>
            <Held plan={plan} mine={mine} />
          </div>
        </>
      )}
    </section>
  );
}
