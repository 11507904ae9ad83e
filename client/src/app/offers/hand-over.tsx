import { Button, NativeSelect } from '@mantine/core';
import { Handshake } from 'lucide-react';
import { useState } from 'react';
import type { ProjectDocument } from '../../data/documents/documents.ts';
import { otherMembers } from '../../data/project/members.ts';
import { type Offer, offerProject, useOfferOf, withdrawOffer } from '../../data/project/offers.ts';
import type { Project } from '../../data/project/open-project.ts';
import { shortDay } from '../../ui/dates.ts';
import { Problem } from '../../ui/page/page.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { useAttempt } from '../use-attempt.ts';
import css from './offers.module.css';

/** Hands a project of the user's over to one of its members; nothing while it has none. */
export function HandOver({
  project,
  details,
  nameOf,
}: {
  project: Project;
  details: ProjectDocument;
  nameOf: (uid: string) => string;
}) {
  const offer = useOfferOf(project);
  const [open, setOpen] = useState(false);
  const members = otherMembers(details);
  if (offer) return <Offered project={project.id} offer={offer} />;
  if (members.length === 0) return null;
  if (!open) {
    return (
      <p className={css.way}>
        <Button
          size="xs"
          variant="default"
          leftSection={<Handshake size={15} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          Hand the project over…
        </Button>
      </p>
    );
  }
  return (
    <OfferForm
      project={project.id}
      members={members.map(([uid]) => ({ value: uid, label: nameOf(uid) }))}
      onClose={() => setOpen(false)}
    />
  );
}

/** The offer that stands, and its withdrawal. */
function Offered({ project, offer }: { project: string; offer: Offer }) {
  const { busy, failure, attempt } = useAttempt();
  return (
    <section className={css.hand} aria-label="Offered project">
      {failure && <Problem title={failure} />}
      <div className={css.row}>
        <p>
          Offered to <bdi>{offer.toName}</bdi> until {shortDay(offer.expiresAt)}. Until they accept, the
          project is yours.
        </p>
        <Button
          size="xs"
          variant="default"
          loading={busy}
          onClick={() => void attempt(() => withdrawOffer(project))}
        >
          Withdraw the offer
        </Button>
      </div>
    </section>
  );
}

function OfferForm({
  project,
  members,
  onClose,
}: {
  project: string;
  members: readonly { readonly value: string; readonly label: string }[];
  onClose: () => void;
}) {
  const [chosen, setChosen] = useState(members[0]?.value ?? '');
  const { busy, failure, attempt } = useAttempt();
  const offer = () =>
    attempt(async () => {
      const { mailed } = await offerProject(project, chosen);
      onClose();
      const told = mailed ? 'A mail is on its way.' : 'No mail was sent: tell them yourself.';
      toasts.show(`${told} They find the offer on their Projects page.`, {
        type: 'success',
        autoCloseTime: 5_000,
      });
    });
  return (
    <form
      className={css.hand}
      aria-label="Hand the project over"
      onSubmit={(event) => {
        event.preventDefault();
        void offer();
      }}
    >
      <h3>Hand the project over</h3>
      {failure && <Problem title={failure} />}
      <p>
        A member who accepts within 30 days owns the project, with everything in it, and it counts by their
        limits. You go on as an editor, and invitations that you made are withdrawn.
      </p>
      <div className={css.row}>
        <NativeSelect
          label="Hand over to"
          data-autofocus
          value={chosen}
          data={members}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <Button variant="subtle" color="gray" disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          Offer the project
        </Button>
      </div>
    </form>
  );
}
