import { Button } from '@mantine/core';
import { Handshake } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { answerOffer, type Offer } from '../../data/project/offers.ts';
import { describeError } from '../../data/server/messages.ts';
import { shortDay } from '../../ui/dates.ts';
import { Problem } from '../../ui/page/page.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import css from './offers.module.css';

/** A project that is offered to the user, with the two answers. */
export function OfferQuestion({
  offer,
  project,
  onTaken,
}: {
  offer: Offer;
  /** Id of the project. */
  project: string;
  onTaken?: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const from = <bdi>{offer.fromName || 'Somebody'}</bdi>;
  const name = <bdi>{offer.projectName || 'a project'}</bdi>;
  const answer = async (accept: boolean) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await answerOffer(project, accept);
      if (accept) {
        toasts.show('The project is yours now.', { type: 'success' });
        onTaken?.();
      }
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <OfferBox>
      {failure && <Problem title={failure} />}
      <Handshake size={18} aria-hidden />
      <p>
        {offer.closing ? (
          <>
            <strong>{from}</strong> deleted their account. <strong>{name}</strong> will be deleted on{' '}
            {shortDay(offer.expiresAt)} unless you take it.
            <span>If you accept, it is yours and counts by your limits. The other members stay.</span>
          </>
        ) : (
          <>
            <strong>{from}</strong> wants to hand <strong>{name}</strong> over to you.
            <span>
              If you accept, it is yours and counts by your limits; {from} goes on as an editor. Open until{' '}
              {shortDay(offer.expiresAt)}.
            </span>
          </>
        )}
      </p>
      <Button variant="subtle" color="gray" disabled={busy} onClick={() => void answer(false)}>
        Decline
      </Button>
      <Button loading={busy} onClick={() => void answer(true)}>
        Accept
      </Button>
    </OfferBox>
  );
}

/** A note on an offer. */
export function OfferBox({ children }: { children: ReactNode }) {
  return (
    <section className={css.offer} aria-label="Offered project">
      {children}
    </section>
  );
}
