import { Handshake } from 'lucide-react';
import { useUser } from '../../data/account/session.ts';
import { useOfferOf } from '../../data/project/offers.ts';
import type { Project } from '../../data/project/open-project.ts';
import { shortDay } from '../../ui/dates.ts';
import { OfferBox, OfferQuestion } from './offer-question.tsx';

/** On a project's page: that it is offered to the user, or that it goes because its owner's account is gone. */
export function OfferNote({ project }: { project: Project }) {
  const { uid } = useUser();
  const offer = useOfferOf(project);
  if (offer?.to === uid) return <OfferQuestion offer={offer} project={project.id} />;
  if (!offer?.closing) return null;
  return (
    <OfferBox>
      <Handshake size={18} aria-hidden />
      <p role="note">
        This project will be deleted on {shortDay(offer.expiresAt)}, because its owner deleted their account.
        <span>
          It is offered to <bdi>{offer.toName}</bdi>. Until they accept, you can work on it as before, and
          export it.
        </span>
      </p>
    </OfferBox>
  );
}
