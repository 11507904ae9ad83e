import { Button } from '@mantine/core';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { languageNames } from '../../../core/translation/language-names.ts';
import type { WithId } from '../../../data/documents/documents.ts';
import {
  acceptInvitation,
  declineInvitation,
  type Invitation,
  ROLE_NAMES,
  ROLE_WORDS,
  useMyInvitations,
} from '../../../data/project/members.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import css from './projects.module.css';

/** Invitations for the user's address that wait for an answer. */
export function MyInvitations() {
  const { data } = useMyInvitations();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const waiting = (data?.items ?? []).filter(({ expiresAt }) => expiresAt > Date.now());
  if (waiting.length === 0) return null;
  const answer = async (invitation: WithId<Invitation>, accept: boolean) => {
    setBusy(true);
    setFailure(undefined);
    const name = { ownerId: invitation.ownerId, deckId: invitation.deckId, invitation: invitation.id };
    try {
      if (accept) {
        await acceptInvitation(name);
        await navigate(`/decks/${invitation.deckId}`);
      } else {
        await declineInvitation(name);
      }
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={css.invitations} aria-label="Invitations">
      {failure && <Problem title={failure} />}
      {waiting.map((invitation) => (
        <div key={invitation.id}>
          <Mail size={18} aria-hidden />
          <p>
            <strong>{invitation.invitedBy || 'Somebody'}</strong> invites you to{' '}
            <strong>{invitation.deckName || 'a project'}</strong> as{' '}
            {ROLE_NAMES[invitation.role].toLowerCase()}
            {invitation.languages.length > 0 && ` of ${languageNames(invitation.languages)}`}.
            <span>{ROLE_WORDS[invitation.role]}.</span>
          </p>
          <Button
            variant="subtle"
            color="gray"
            disabled={busy}
            onClick={() => void answer(invitation, false)}
          >
            Decline
          </Button>
          <Button loading={busy} onClick={() => void answer(invitation, true)}>
            Accept
          </Button>
        </div>
      ))}
    </section>
  );
}
