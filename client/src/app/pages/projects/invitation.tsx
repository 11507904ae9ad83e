import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Users } from 'lucide-react';
import { Link, useNavigate, useParams } from 'react-router';
import { languageNames } from '../../../core/translation/language-names.ts';
import { acceptInvitation, ROLE_NAMES, ROLE_WORDS, readInvitation } from '../../../data/project/members.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { useAttempt } from '../../use-attempt.ts';

/** `/invitations/{owner}/{project}/{invitation}`: what one is invited to, before one accepts. */
export function Component() {
  const { owner = '', deck: project = '', invitation = '' } = useParams();
  const name = { ownerId: owner, deckId: project, invitation };
  const navigate = useNavigate();
  const { busy, failure, attempt } = useAttempt();
  const { data, error } = useQuery({
    queryKey: ['invitation', owner, project, invitation],
    queryFn: () => readInvitation(name),
    retry: false,
  });
  const accept = async () => {
    await attempt(async () => {
      await acceptInvitation(name);
      await navigate(`/decks/${project}`);
    });
  };
  const problem = failure ?? (error ? reasonOf(error) : undefined);
  return (
    <Page
      title="Invitation"
      above={
        <Link to="/decks">
          <ArrowLeft size={15} aria-hidden /> Projects
        </Link>
      }
    >
      {problem && <Problem title={problem} />}
      {!data && !error && (
        <>
          <Loading label="Loading invitation" />
          <Placeholder height={260} radius={16} />
        </>
      )}
      {data && (
        <EmptyState
          icon={<Users size={26} />}
          title={data.deckName || 'A project'}
          action={
            data.member ? (
              <Button component={Link} to={`/decks/${project}`}>
                Open the project
              </Button>
            ) : (
              <Button loading={busy} onClick={() => void accept()}>
                Join as {ROLE_NAMES[data.role].toLowerCase()}
              </Button>
            )
          }
        >
          {data.member
            ? 'You see this project already.'
            : `${data.invitedBy || 'Somebody'} invites you as ${ROLE_NAMES[data.role].toLowerCase()}${data.languages.length > 0 ? ` of ${languageNames(data.languages)}` : ''}. ${ROLE_WORDS[data.role]}.`}
        </EmptyState>
      )}
    </Page>
  );
}

/** The server says why an invitation does not hold better than a list of codes could. */
function reasonOf(error: Error): string {
  const code = String((error as { code?: unknown }).code ?? '');
  return /failed-precondition|permission-denied/.test(code) ? error.message : describeError(error);
}
